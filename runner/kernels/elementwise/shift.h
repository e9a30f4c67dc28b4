// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <type_traits>

namespace lapidary::shift {

template <class T>
int amount(T y)
{
    constexpr int last = int(sizeof(T)) * 8 - 1;
    if (y < T(0))
        return 0;
    return y > T(last) ? last : int(y);
}

template <class T>
T left(T x, T y)
{
    return T(std::make_unsigned_t<T>(x) << amount(y));
}

template <class T>
T right(T x, T y)
{
    return T(x >> amount(y));
}

} // namespace lapidary::shift
