#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// Any bytes as text that Graphviz reads back as one word: valid UTF-8 (what is none becomes
// U+FFFD), control characters as spaces, line breaks as "\n", backslashes doubled.
std::string dotWord(std::string_view bytes);

} // namespace lapidary
