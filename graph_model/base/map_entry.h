// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

namespace lapidary {

// Returns the key and value of an encoded map entry, or any two texts or messages with the field
// numbers 1 and 2. A missing field is empty; of several, the last one counts.
std::pair<std::string_view, std::string_view> readMapEntry(std::string_view entry);

} // namespace lapidary
