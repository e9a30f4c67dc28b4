// Lgamma: log |gamma(x)|.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) {
        int sign = 0;
        if constexpr (std::is_same_v<decltype(x), double>)
            return lgamma_r(x, &sign);
        else
            return lgammaf_r(x, &sign);
    });
}

} // namespace

const Kernel kernels::lgamma{.op = "Lgamma", .run = run};

} // namespace lapidary
