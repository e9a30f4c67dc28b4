// Exp: y = exp(x).
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, expFloats);
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::exp(x); });
}

} // namespace

const Kernel kernels::exp{.op = "Exp", .run = run};

} // namespace lapidary
