// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// Makes text of a file safe for one line of a terminal or a label: control characters, marks that
// change the direction of writing, and broken UTF-8 become escapes such as "\x1b"; everything else
// stays.
std::string printable(std::string_view text);

} // namespace lapidary
