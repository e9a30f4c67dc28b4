// SPDX-License-Identifier: Apache-2.0
// Powers, and products with logarithms.
#include "runner/kernels/elementwise/power.h"

#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/flushed.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace lapidary {
namespace {

bool hasNegativeInteger(const Value& exponents)
{
    bool found = false;
    dispatch(Integers(), exponents.dtype(), [&](auto zero) {
        using T = decltype(zero);
        found = std::ranges::any_of(exponents.as<T>(), [](T y) { return y < T(0); });
    });
    return found;
}

// Pow: z = x to the power of y; integers wrap, and do not allow negative exponents.
Status runPow(KernelContext& context)
{
    if (hasNegativeInteger(context.input(1)))
        return context.error("integers to negative integer powers are not allowed");
    return runBinary(context, Numbers(), [](auto x, auto y) { return power(x, y); });
}

// Xdivy: x == 0 ? 0 : x / y.
Status runXdivy(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(), [](auto x, auto y) {
        return x == decltype(x)(0) ? x : division::quotient(x, y);
    });
}

// Xlogy: x == 0 ? 0 : x log(y).
Status runXlogy(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(), [](auto x, auto y) {
        return x == decltype(x)(0) ? x : x * std::log(flushed(y));
    });
}

} // namespace

LAPIDARY_KERNEL(Pow, runPow);
LAPIDARY_KERNEL(Xdivy, runXdivy);
LAPIDARY_KERNEL(Xlogy, runXlogy);

} // namespace lapidary
