// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Returns the word that was probably meant, or an empty text: it differs by a few inserted, removed
// or replaced letters, or one word is the beginning of the other. O(length of both) per word.
std::string nearestWord(std::string_view misspelt, const std::vector<std::string>& words);

} // namespace lapidary
