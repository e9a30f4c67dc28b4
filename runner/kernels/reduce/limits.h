// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace lapidary {

// Return the values with which a search for the largest or smallest element starts.
template <class T>
T lowest()
{
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? T(-Limits::infinity()) : Limits::lowest();
}

template <class T>
T highest()
{
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

} // namespace lapidary
