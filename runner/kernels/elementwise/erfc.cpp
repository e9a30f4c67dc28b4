// Erfc: 1 - erf(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) { return std::erfc(x); });
}

} // namespace

const Kernel kernels::erfc{.op = "Erfc", .run = run};

} // namespace lapidary
