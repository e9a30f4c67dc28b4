// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders of two tensors.
#include "runner/kernels/elementwise/division.h"

#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether the op will divide by an integer zero: `divisor` has one and the output has
// elements.
bool hasZero(const KernelContext& context, const Value& divisor)
{
    if (context.input(0).elements() == 0)
        return false;
    bool found = false;
    dispatch(Integers(), divisor.dtype(), [&](auto zero) {
        found = std::ranges::find(divisor.as<decltype(zero)>(), zero) !=
                divisor.as<decltype(zero)>().end();
    });
    return found;
}

// Div: z = x / y; integers towards zero.
Status runDiv(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Numbers(), [](auto x, auto y) { return division::truncated(x, y); });
}

// DivNoNan: y == 0 ? 0 : x / y.
Status runDivNoNan(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(), [](auto x, auto y) {
        return y == decltype(y)(0) ? decltype(x)(0) : division::quotient(x, y);
    });
}

// RealDiv: z = x / y.
Status runRealDiv(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(),
                     [](auto x, auto y) { return division::quotient(x, y); });
}

// FloorDiv: z = floor(x / y).
struct FlooredQuotient {
    static constexpr bool takesStored = true;

    template <class T>
    T operator()(T x, T y) const
    {
        if constexpr (std::is_integral_v<T>)
            return division::floored(x, y);
        else
            return T(std::floor(wide(T(wide(x) / wide(y))))); // half: two rounded steps
    }
};

Status runFloorDiv(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Reals(), FlooredQuotient());
}

// TruncateDiv: z = x / y towards zero.
Status runTruncateDiv(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Integers(), [](auto x, auto y) { return division::truncated(x, y); });
}

// Mod: the remainder of division towards zero: the sign is that of x.
Status runMod(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Reals(), [](auto x, auto y) { return division::remainder(x, y); });
}

// FloorMod: the remainder of floored division: the sign is that of y.
Status runFloorMod(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Reals(),
                     [](auto x, auto y) { return division::floorRemainder(x, y); });
}

// TruncateMod: the remainder of division towards zero: the sign is that of x.
Status runTruncateMod(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Reals(), [](auto x, auto y) { return division::remainder(x, y); });
}

} // namespace

LAPIDARY_KERNEL(Div, runDiv);
LAPIDARY_KERNEL(DivNoNan, runDivNoNan);
LAPIDARY_KERNEL(RealDiv, runRealDiv);
LAPIDARY_KERNEL(FloorDiv, runFloorDiv);
LAPIDARY_KERNEL(TruncateDiv, runTruncateDiv);
LAPIDARY_KERNEL(Mod, runMod);
LAPIDARY_KERNEL(FloorMod, runFloorMod);
LAPIDARY_KERNEL(TruncateMod, runTruncateMod);

} // namespace lapidary
