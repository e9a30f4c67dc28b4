// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace lapidary {

// Returns the length in bytes of the well-formed UTF-8 sequence (RFC 3629) at the start of `text`,
// or 0 if there is none: overlong forms, surrogates and code points beyond U+10FFFF are not
// well-formed.
std::size_t utf8Length(std::string_view text);

// Returns whether all of `text` is well-formed.
bool isValidUtf8(std::string_view text);

} // namespace lapidary
