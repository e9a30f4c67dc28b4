// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers.
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

// Ceil: the smallest whole number not below x.
Status runCeil(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) { return std::ceil(x); });
}

// Floor: the largest whole number not above x.
Status runFloor(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) { return std::floor(x); });
}

// Rint: the nearest whole number, ties to even.
Status runRint(KernelContext& context)
{
    return runUnary(context, RealFloats(),
                    []([[maybe_unused]] auto x) { return std::nearbyint(x); });
}

// Round: the nearest whole number, ties to even; integers stay.
Status runRound(KernelContext& context)
{
    return runUnary(context, Reals(), []([[maybe_unused]] auto x) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
            return std::nearbyint(x);
        else
            return x;
    });
}

} // namespace

LAPIDARY_KERNEL(Ceil, runCeil);
LAPIDARY_KERNEL(Floor, runFloor);
LAPIDARY_KERNEL(Rint, runRint);
LAPIDARY_KERNEL(Round, runRound);

} // namespace lapidary
