// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

#include <algorithm>
#include <optional>

namespace lapidary {

// Returns whether a filter of these sizes can be packed: it has four axes and at least one element.
// Without elements the product of some sizes may be too large for a number.
inline bool canBePacked(const std::optional<Dims>& filter)
{
    return filter && filter->size() == 4 && std::ranges::find(*filter, 0) == filter->end();
}

} // namespace lapidary
