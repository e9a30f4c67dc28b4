// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace lapidary::wrapping {

// Integer arithmetic modulo 2^n, as in TensorFlow's kernels, without undefined behavior; plain
// arithmetic for every other type.
template <class T>
auto add(T x, T y)
{
    if constexpr (std::is_integral_v<T>)
        return T(std::make_unsigned_t<T>(x) + std::make_unsigned_t<T>(y));
    else
        return x + y;
}

template <class T>
auto sub(T x, T y)
{
    if constexpr (std::is_integral_v<T>)
        return T(std::make_unsigned_t<T>(x) - std::make_unsigned_t<T>(y));
    else
        return x - y;
}

// Small types are widened first: 16-bit operands would be promoted to int, which can overflow.
template <class T>
auto mul(T x, T y)
{
    if constexpr (std::is_integral_v<T>)
        return T(static_cast<unsigned long long>(x) * static_cast<unsigned long long>(y));
    else
        return x * y;
}

} // namespace lapidary::wrapping
