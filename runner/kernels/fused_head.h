// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// An attribute of a node that replaces several nodes in a plan: the name of the first one, for
// errors.
inline constexpr std::string_view fusedHeadAttr = "_lapidary_head";

} // namespace lapidary
