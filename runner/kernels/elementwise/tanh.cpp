// Tanh: y = tanh(x).
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, tanhFloats);
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::tanh(x); });
}

} // namespace

const Kernel kernels::tanh{.op = "Tanh", .run = run};

} // namespace lapidary
