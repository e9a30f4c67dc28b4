// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/narrow_float.h"

#include <limits>
#include <type_traits>

namespace lapidary {

// Returns the lowest finite value, with which a maximum starts.
template <class T>
T lowestOf()
{
    if constexpr (std::is_same_v<T, Half>)
        return T(-65504.0F);
    else if constexpr (std::is_same_v<T, BFloat16>)
        return T(-3.3895314e38F);
    else
        return std::numeric_limits<T>::lowest();
}

} // namespace lapidary
