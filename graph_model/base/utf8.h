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

// Returns whether a byte continues a sequence: it is neither ASCII nor the first of one.
constexpr bool continuesUtf8(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Returns the largest position up to `at` that is not inside a sequence, to cut a text there.
constexpr std::size_t utf8Boundary(std::string_view text, std::size_t at)
{
    while (at > 0 && at < text.size() && continuesUtf8(text[at]))
        --at;
    return at;
}

} // namespace lapidary
