// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lapidary {

// The deepest nesting of lists and objects that is read. Copying and writing values is recursive,
// and a file of a few hundred KB can nest deeper than any stack allows.
inline constexpr std::size_t mostJsonNesting = 128;

// Returns whether lists and objects nest deeper than that, in a text or in a binary form of JSON.
bool nestsTooDeep(std::string_view bytes, nlohmann::json::input_format_t format);

// Parses a text. The result is discarded() if the text is not JSON or nests too deep.
nlohmann::json parsedJson(std::string_view text);

} // namespace lapidary
