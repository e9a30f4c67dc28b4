// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <type_traits>

namespace lapidary {

// Returns zero for a denormal number, whatever instruction the compiler picks afterwards: additions
// obey the flush mode of a session's step; libm and selections need not. Negative zero becomes 0.
// Complex numbers and integers stay as they are.
template <class T>
T flushed(T x)
{
    if constexpr (std::is_floating_point_v<T>)
        return x + T(0);
    else
        return x;
}

// Like flushed(), but zero keeps the sign of x, as with the processor's max and min.
template <class T>
T flushedToSigned(T x)
{
    if constexpr (std::is_floating_point_v<T>)
        return std::copysign(flushed(x), x);
    else
        return x;
}

} // namespace lapidary
