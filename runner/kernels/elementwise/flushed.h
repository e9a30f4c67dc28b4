// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace lapidary {

// A denormal as zero, whatever instruction the compiler picks afterwards: additions obey the flush
// mode that a session's step runs under, libm and selections need not. Negative zero becomes 0.
// Complex numbers and integers stay as they are.
template <class T>
T flushed(T x)
{
    if constexpr (std::is_floating_point_v<T>)
        return x + T(0);
    else
        return x;
}

} // namespace lapidary
