// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace lapidary {

// The upper half of a binary32. Arithmetic is done in float; storing rounds to nearest even, as
// TensorFlow's kernels do after every elementary operation.
struct BFloat16 {
    std::uint16_t bits = 0;

    BFloat16() = default;
    explicit BFloat16(float value)
        : bits(round(value))
    {
    }
    operator float() const { return std::bit_cast<float>(std::uint32_t(bits) << 16); }

private:
    static std::uint16_t round(float value)
    {
        const auto word = std::bit_cast<std::uint32_t>(value);
        if (std::isnan(value))
            return 0x7FC0;
        return std::uint16_t((word + 0x7FFF + ((word >> 16) & 1)) >> 16);
    }
};

// IEEE binary16, stored as bits; conversions round to nearest even.
struct Half {
    std::uint16_t bits = 0;

    Half() = default;
    explicit Half(float value)
        : bits(halfFromFloat(value))
    {
    }
    operator float() const { return floatFromHalf(bits); }

    static float floatFromHalf(std::uint16_t half)
    {
        const std::uint32_t sign = std::uint32_t(half & 0x8000U) << 16;
        const std::uint32_t exponent = (half >> 10) & 0x1FU;
        const std::uint32_t fraction = half & 0x3FFU;
        if (exponent == 0x1F) // infinity and NaN
            return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13));
        if (exponent != 0)
            return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
        const float tiny = float(fraction) * 0x1p-24F; // exact: zero and subnormals
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(tiny));
    }

    static std::uint16_t halfFromFloat(float value)
    {
        const auto word = std::bit_cast<std::uint32_t>(value);
        const auto sign = std::uint16_t((word >> 16) & 0x8000U);
        const std::uint32_t magnitude = word & 0x7FFFFFFFU;
        if (magnitude > 0x7F800000U)
            return std::uint16_t(sign | 0x7E00U);
        if (magnitude >= 0x477FF000U) // rounds to 65536 or more
            return std::uint16_t(sign | 0x7C00U);
        if (magnitude < 0x38800000U) { // subnormal or zero: let the FPU round at 2^-24
            const float aligned = std::bit_cast<float>(magnitude) + 0.5F;
            return std::uint16_t(sign | (std::bit_cast<std::uint32_t>(aligned) - 0x3F000000U));
        }
        const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13) & 1U);
        return std::uint16_t(sign | ((rounded - 0x38000000U) >> 13));
    }
};

} // namespace lapidary
