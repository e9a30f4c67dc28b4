// Erf: the error function.
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, erfFloats);
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) { return std::erf(x); });
}

} // namespace

const Kernel kernels::erf{.op = "Erf", .run = run};

} // namespace lapidary
