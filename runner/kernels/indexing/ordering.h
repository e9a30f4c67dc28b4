// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"

namespace lapidary {

// A strict order in which NaN is smaller than every number.
template <class T>
bool isLess(T a, T b)
{
    const auto x = wide(a);
    const auto y = wide(b);
    if constexpr (std::is_integral_v<T>)
        return x < y;
    else
        return x < y || (x != x && y == y);
}

} // namespace lapidary
