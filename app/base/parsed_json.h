// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lapidary {

// The deepest nesting of lists and objects that is read. Copying and writing values is recursive,
// and a file of a few hundred KB can nest deeper than any stack allows.
inline constexpr std::size_t mostJsonNesting = 128;

// Parses a text. The result is discarded() if the text is not JSON or nests too deep.
nlohmann::json parsedJson(std::string_view text);

} // namespace lapidary
