// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The word that was probably meant, or an empty text: few letters put in, taken out or replaced, or
// the beginning of one word. O(length of both) a word.
std::string nearestWord(std::string_view misspelt, const std::vector<std::string>& words);

} // namespace lapidary
