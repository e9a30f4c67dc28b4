// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// Returns whether the whole text matches: "*" matches any characters, "?" one, all others
// themselves. O(text x glob) at worst.
bool fitsGlob(std::string_view text, std::string_view glob);

} // namespace lapidary
