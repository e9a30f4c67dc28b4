// BesselI0e: exp(-|x|) times the modified Bessel function of order 0.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/special_functions.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), [](auto x) { return special::besselI0e(x); });
}

} // namespace

const Kernel kernels::besselI0e{.op = "BesselI0e", .run = run};

} // namespace lapidary
