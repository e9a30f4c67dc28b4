// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// RFC 4648: the last two letters are '+' and '/' in Standard (section 4), '-' and '_' in WebSafe
// (section 5).
enum class Base64 { Standard, WebSafe };

// `pads` fills the last group of four with '='.
std::string encodedBase64(std::string_view bytes, Base64 alphabet = Base64::Standard,
                          bool pads = true);

// Returns nothing if `text` is not valid. '=' at the end may be missing; bits of the last character
// that belong to no byte are ignored.
std::optional<std::string> decodedBase64(std::string_view text, Base64 alphabet = Base64::Standard);

} // namespace lapidary
