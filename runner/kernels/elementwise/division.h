// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>

namespace lapidary::division {

// Divides complex numbers by the textbook formula, scaled so that no intermediate result overflows.
// A divisor that is 0 or infinite gives NaN in both parts, as recorded from TensorFlow.
template <class R>
std::complex<R> complexQuotient(std::complex<R> x, std::complex<R> y)
{
    const R largest = std::max(std::abs(y.real()), std::abs(y.imag()));
    const int shift = std::isfinite(largest) && largest > R(0) ? std::ilogb(largest) : 0;
    const R c = std::scalbn(y.real(), -shift);
    const R d = std::scalbn(y.imag(), -shift);
    const R square = c * c + d * d;
    return {std::scalbn((x.real() * c + x.imag() * d) / square, -shift),
            std::scalbn((x.imag() * c - x.real() * d) / square, -shift)};
}

template <class T>
T quotient(T x, T y)
{
    if constexpr (std::is_floating_point_v<T>)
        return x / y;
    else
        return complexQuotient(x, y);
}

// The lowest integer divided by -1 is itself, as in two's complement.
template <class T>
T truncated(T x, T y)
{
    if constexpr (std::is_integral_v<T>) {
        if constexpr (std::is_signed_v<T>)
            if (y == T(-1))
                return T(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(x));
        return T(x / y);
    } else {
        return quotient(x, y);
    }
}

template <class T>
T remainder(T x, T y)
{
    if constexpr (std::is_integral_v<T>) {
        if constexpr (std::is_signed_v<T>)
            if (y == T(-1))
                return T(0);
        return T(x % y);
    } else {
        return std::fmod(x, y);
    }
}

template <class T>
T floored(T x, T y)
{
    const T towardsZero = truncated(x, y);
    const bool isInexact = remainder(x, y) != 0;
    return isInexact && (x < 0) != (y < 0) ? T(towardsZero - 1) : towardsZero;
}

template <class T>
T floorRemainder(T x, T y)
{
    const T r = remainder(x, y);
    return r != T(0) && (r < T(0)) != (y < T(0)) ? T(r + y) : r;
}

} // namespace lapidary::division
