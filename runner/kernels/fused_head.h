// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// Of a node that a plan puts in the place of several: the name of the first one, which errors name.
inline constexpr std::string_view fusedHeadAttr = "_lapidary_head";

} // namespace lapidary
