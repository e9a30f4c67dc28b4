// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tflite/fixed_point.h"

#include "runner/kernels/tflite/gemmlowp_fixed_point.h"

#include <bit>
#include <cmath>

namespace lapidary {

FixedFactor FixedFactor::of(double real)
{
    constexpr double one = 2147483648.0; // 2^31
    if (!(real > 0) || !std::isfinite(real))
        return {};
    int shift = 0;
    auto value = std::int64_t(std::round(std::frexp(real, &shift) * one));
    if (value == std::int64_t(one)) {
        value /= 2;
        ++shift;
    }
    constexpr int least = -31;
    constexpr int most = 30;
    if (shift < least)
        return {};
    return {shift > most ? INT32_MAX : std::int32_t(value), std::min(shift, most)};
}

FixedFactor reciprocal(std::int32_t x)
{
    using F0 = gemmlowp::FixedPoint<std::int32_t, 0>;
    const int zeros = std::countl_zero(std::uint32_t(x));
    const auto rest = std::int32_t((std::uint32_t(x) << zeros) - (std::uint32_t(1) << 31));
    return {gemmlowp::one_over_one_plus_x_for_x_in_0_1(F0::FromRaw(rest)).raw(), zeros - 31};
}

// Uses Newton's method, starting from 1, for the number scaled to [1/4, 1), with 3 integer bits.
FixedFactor inverseRoot(std::int32_t x)
{
    using F0 = gemmlowp::FixedPoint<std::int32_t, 0>;
    using F3 = gemmlowp::FixedPoint<std::int32_t, 3>;
    constexpr int steps = 5;
    if (x <= 1)
        return {INT32_MAX, 0};
    int shift = 11;
    for (; x >= 1 << 29; x /= 4)
        ++shift;
    const int pairs = (std::countl_zero(std::uint32_t(x)) - 1) / 2 - 1;
    shift -= pairs;
    const F3 half = F3::FromRaw(roundedShift(x << (2 * pairs) >> 1, 1));
    const F3 oneAndHalf = F3::FromRaw((1 << 28) + (1 << 27));
    F3 root = F3::One();
    for (int i = 0; i < steps; ++i) {
        const F3 cube = gemmlowp::Rescale<3>(root * root * root);
        root = gemmlowp::Rescale<3>(oneAndHalf * root - half * cube);
    }
    const F0 halfRootOfTwo = F0::FromRaw(1518500250);
    const std::int32_t value = (root * halfRootOfTwo).raw();
    if (shift < 0)
        return {std::int32_t(std::uint32_t(value) << -shift), 0};
    return {value, -shift};
}

} // namespace lapidary
