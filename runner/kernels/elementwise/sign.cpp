// Sign: -1, 0 or 1 (NaN: 0); complex: x / |x|, or 0.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Numbers(), []([[maybe_unused]] auto x) {
        if constexpr (isComplex<decltype(x)>)
            return x == decltype(x)(0) ? decltype(x)(0) : x * (1 / std::abs(x));
        else
            return decltype(x)((x > decltype(x)(0)) - (x < decltype(x)(0)));
    });
}

} // namespace

const Kernel kernels::sign{.op = "Sign", .run = run};

} // namespace lapidary
