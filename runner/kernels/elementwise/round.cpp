// Round: the nearest whole number, ties to even; integers stay.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Reals(), []([[maybe_unused]] auto x) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
            return std::nearbyint(x);
        else
            return x;
    });
}

} // namespace

const Kernel kernels::round{.op = "Round", .run = run};

} // namespace lapidary
