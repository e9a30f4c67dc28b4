// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

enum class Encoding : std::uint8_t { Utf8, Utf16, Utf32, Latin1, Ascii };

// One code point or, if `isMalformed`, its replacement.
struct CodePoint {
    std::uint32_t value = 0;
    std::size_t size = 0; // bytes
    bool isMalformed = false;
};

constexpr bool isSurrogate(std::uint32_t value)
{
    return value >= 0xD800 && value <= 0xDFFF;
}

constexpr bool isScalarValue(std::uint32_t value)
{
    return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

// Returns the character that begins at byte `at` of a non-empty text. In UTF-8, each longest
// beginning of an incomplete character is one malformed part, as the Unicode standard recommends.
CodePoint nextCodePoint(Encoding encoding, std::string_view text, std::size_t at);
void appendCodePoint(std::string& text, std::uint32_t value, Encoding encoding);

} // namespace lapidary
