// SPDX-License-Identifier: Apache-2.0
// Operations on the bits of integers.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/shift.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <bit>

namespace lapidary {
namespace {

// BitwiseAnd: x & y, bit by bit.
Status runBitwiseAnd(KernelContext& context)
{
    return runBinary(context, Integers(), [](auto x, auto y) { return decltype(x)(x & y); });
}

// BitwiseOr: x | y, bit by bit.
Status runBitwiseOr(KernelContext& context)
{
    return runBinary(context, Integers(), [](auto x, auto y) { return decltype(x)(x | y); });
}

// BitwiseXor: x ^ y, bit by bit.
Status runBitwiseXor(KernelContext& context)
{
    return runBinary(context, Integers(), [](auto x, auto y) { return decltype(x)(x ^ y); });
}

// Invert: ~x, every bit inverted.
Status runInvert(KernelContext& context)
{
    return runUnary(context, Integers(), []([[maybe_unused]] auto x) { return decltype(x)(~x); });
}

// LeftShift: x << y; the amount is clamped to 0 and the width - 1.
Status runLeftShift(KernelContext& context)
{
    return runBinary(context, Integers(), [](auto x, auto y) { return shift::left(x, y); });
}

// RightShift: x >> y, arithmetic for signed types; the amount is clamped to 0 and the width - 1.
Status runRightShift(KernelContext& context)
{
    return runBinary(context, Integers(), [](auto x, auto y) { return shift::right(x, y); });
}

// PopulationCount: the number of bits of x that are set, as uint8.
Status runPopulationCount(KernelContext& context)
{
    return runUnaryTo<std::uint8_t>(context, Integers(), [](auto x) {
        return std::popcount(std::make_unsigned_t<decltype(x)>(x));
    });
}

} // namespace

LAPIDARY_KERNEL(BitwiseAnd, runBitwiseAnd);
LAPIDARY_KERNEL(BitwiseOr, runBitwiseOr);
LAPIDARY_KERNEL(BitwiseXor, runBitwiseXor);
LAPIDARY_KERNEL(Invert, runInvert);
LAPIDARY_KERNEL(LeftShift, runLeftShift);
LAPIDARY_KERNEL(RightShift, runRightShift);
LAPIDARY_KERNEL(PopulationCount, runPopulationCount);

} // namespace lapidary
