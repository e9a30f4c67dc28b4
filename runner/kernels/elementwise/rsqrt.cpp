// Rsqrt: y = 1 / sqrt(x).
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, rsqrtFloats);
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return decltype(x)(1) / std::sqrt(x); });
}

} // namespace

const Kernel kernels::rsqrt{.op = "Rsqrt", .run = run};

} // namespace lapidary
