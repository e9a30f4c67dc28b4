// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// Attribute of a node by which a plan replaces several: the name of the first one, for errors.
inline constexpr std::string_view fusedHeadAttr = "_lapidary_head";

} // namespace lapidary
