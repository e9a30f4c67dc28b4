// Log1p: y = log(1 + x), exact near 0.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(), []([[maybe_unused]] auto x) {
        if constexpr (isComplex<decltype(x)>)
            return std::log(x + decltype(x)(1));
        else
            return std::log1p(x);
    });
}

} // namespace

const Kernel kernels::log1p{.op = "Log1p", .run = run};

} // namespace lapidary
