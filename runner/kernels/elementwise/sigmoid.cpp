// Sigmoid: y = 1 / (1 + exp(-x)).
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, sigmoidFloats);
    return runUnary(context, FloatsAndComplex(), []([[maybe_unused]] auto x) {
        return decltype(x)(1) / (decltype(x)(1) + std::exp(-x));
    });
}

} // namespace

const Kernel kernels::sigmoid{.op = "Sigmoid", .run = run};

} // namespace lapidary
