// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace lapidary {

// A factor in the form of TFLite's integer kernels: value * 2^shift / 2^31, with value below 2^31.
struct FixedFactor {
    std::int32_t value = 0;
    int shift = 0;

    // Returns the nearest factor; 0 if `real` is not positive or below 2^-32.
    static FixedFactor of(double real);
};

// Returns a * b / 2^31, rounded to the nearest, halves away from zero.
constexpr std::int32_t doublingHighProduct(std::int32_t a, std::int32_t b)
{
    if (a == INT32_MIN && b == INT32_MIN)
        return INT32_MAX;
    const std::int64_t product = std::int64_t(a) * b;
    const std::int64_t half = product >= 0 ? std::int64_t(1) << 30 : 1 - (std::int64_t(1) << 30);
    return std::int32_t((product + half) / (std::int64_t(1) << 31));
}

// Returns x / 2^exponent, rounded to the nearest, halves away from zero. exponent: 0 to 31.
constexpr std::int32_t roundedShift(std::int32_t x, int exponent)
{
    const auto mask = std::int32_t((std::int64_t(1) << exponent) - 1);
    const std::int32_t rest = x & mask;
    return (x >> exponent) + (rest > (mask >> 1) + (x < 0 ? 1 : 0) ? 1 : 0);
}

constexpr std::int32_t wrappingProduct(std::int32_t a, std::int32_t b)
{
    return std::int32_t(std::uint32_t(a) * std::uint32_t(b));
}

constexpr std::int32_t wrappingSum(std::int32_t a, std::int32_t b)
{
    return std::int32_t(std::uint32_t(a) + std::uint32_t(b));
}

// Returns the factor times x, rounded twice, as TFLite does.
constexpr std::int32_t times(std::int32_t x, FixedFactor factor)
{
    const int left = std::max(factor.shift, 0);
    const auto shifted = std::int32_t(std::uint32_t(x) << left);
    return roundedShift(doublingHighProduct(shifted, factor.value), left - factor.shift);
}

// Returns 1 / x for x > 0, with 31 fractional bits.
FixedFactor reciprocal(std::int32_t x);
// Returns 1 / sqrt(x) for x > 0; for 0 the same as for 1.
FixedFactor inverseRoot(std::int32_t x);

} // namespace lapidary
