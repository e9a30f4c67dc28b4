// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace lapidary {

// Truncate a floating-point number. One that does not fit gives the same result as on x86: the low
// bits of the lowest int32, or of the lowest int64 for uint32 and types of 64 bits.
template <class F>
std::int32_t toInt32(F x)
{
    return x >= F(-0x1p31) && x < F(0x1p31) ? std::int32_t(x) : INT32_MIN;
}

template <class F>
std::int64_t toInt64(F x)
{
    return x >= F(-0x1p63) && x < F(0x1p63) ? std::int64_t(x) : INT64_MIN;
}

template <class To, class F>
To toInteger(F x)
{
    if constexpr (std::is_same_v<To, std::uint64_t>)
        return x >= F(0x1p63) ? std::uint64_t(toInt64(x - F(0x1p63))) ^ (std::uint64_t(1) << 63)
                              : std::uint64_t(toInt64(x));
    else if constexpr (std::is_same_v<To, std::int64_t> || std::is_same_v<To, std::uint32_t>)
        return To(toInt64(x));
    else
        return To(toInt32(x));
}

// Converts to an integer as toInteger() does, or to a floating-point type.
template <class To>
To numberFrom(float x)
{
    if constexpr (std::is_integral_v<To>)
        return toInteger<To>(x);
    else
        return To(x);
}

} // namespace lapidary
