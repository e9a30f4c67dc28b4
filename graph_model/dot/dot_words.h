// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// Returns any bytes as text that Graphviz reads back as one word: valid UTF-8 (other bytes become
// U+FFFD), control characters as spaces, line breaks as "\n", backslashes doubled.
std::string dotWord(std::string_view bytes);

} // namespace lapidary
