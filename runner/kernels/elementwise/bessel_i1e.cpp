// BesselI1e: exp(-|x|) times the modified Bessel function of order 1.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/special_functions.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), [](auto x) { return special::besselI1e(x); });
}

} // namespace

const Kernel kernels::besselI1e{.op = "BesselI1e", .run = run};

} // namespace lapidary
