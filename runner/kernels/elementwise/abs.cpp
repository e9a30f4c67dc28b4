// Abs: y = |x|; the lowest integer stays as it is.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/elementwise/wrapping.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Reals(), [](auto x) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
            return std::abs(x);
        else
            return x < decltype(x)(0) ? wrapping::sub(decltype(x)(0), x) : x;
    });
}

} // namespace

const Kernel kernels::abs{.op = "Abs", .run = run};

} // namespace lapidary
