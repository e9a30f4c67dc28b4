#pragma once

#include "runner/kernels/kernel.h"

#include <cmath>
#include <complex>
#include <type_traits>

namespace lapidary {

// True where the op will divide by an integer zero: `divisor` has one and the output has elements.
bool hasZero(const KernelContext& context, const Value& divisor);

namespace division {

// The lowest integer by -1 wraps to itself, as two's complement does.
template <class T>
T truncated(T x, T y)
{
    if constexpr (std::is_integral_v<T>) {
        if constexpr (std::is_signed_v<T>)
            if (y == T(-1))
                return T(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(x));
        return T(x / y);
    } else {
        return x / y;
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
    if constexpr (std::is_integral_v<T>) {
        const T quotient = truncated(x, y);
        const bool isInexact = remainder(x, y) != 0;
        return isInexact && (x < 0) != (y < 0) ? T(quotient - 1) : quotient;
    } else {
        return std::floor(x / y);
    }
}

template <class T>
T floorRemainder(T x, T y)
{
    const T r = remainder(x, y);
    return r != T(0) && (r < T(0)) != (y < T(0)) ? T(r + y) : r;
}

} // namespace division
} // namespace lapidary
