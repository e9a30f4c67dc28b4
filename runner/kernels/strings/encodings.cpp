// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/strings/encodings.h"

namespace lapidary {
namespace {

std::uint32_t unitAt(std::string_view text, std::size_t at)
{
    return std::uint8_t(text[at]);
}

std::uint32_t bigEndian(std::string_view text, std::size_t at, std::size_t size)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8U | unitAt(text, at + i);
    return value;
}

// The limits of the second byte depend on the first one (Unicode 15, table 3-7).
CodePoint nextUtf8(std::string_view text, std::size_t at)
{
    const std::uint32_t first = unitAt(text, at);
    if (first < 0x80)
        return {first, 1, false};
    if (first < 0xC2 || first > 0xF4)
        return {0, 1, true};
    const std::size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    std::uint32_t low = 0x80;
    std::uint32_t high = 0xBF;
    if (first == 0xE0)
        low = 0xA0;
    if (first == 0xED)
        high = 0x9F;
    if (first == 0xF0)
        low = 0x90;
    if (first == 0xF4)
        high = 0x8F;
    std::uint32_t value = first & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if (at + i >= text.size() || unitAt(text, at + i) < low || unitAt(text, at + i) > high)
            return {0, i, true};
        value = value << 6U | (unitAt(text, at + i) & 0x3FU);
        low = 0x80;
        high = 0xBF;
    }
    return {value, size, false};
}

CodePoint nextUtf16(std::string_view text, std::size_t at)
{
    if (at + 2 > text.size())
        return {0, text.size() - at, true};
    const std::uint32_t first = bigEndian(text, at, 2);
    if (first < 0xD800 || first > 0xDFFF)
        return {first, 2, false};
    if (first >= 0xDC00)
        return {0, 2, true};
    if (at + 4 > text.size())
        return {0, text.size() - at, true};
    const std::uint32_t second = bigEndian(text, at + 2, 2);
    if (second < 0xDC00 || second > 0xDFFF)
        return {0, 2, true};
    return {0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00), 4, false};
}

CodePoint nextUtf32(std::string_view text, std::size_t at)
{
    if (at + 4 > text.size())
        return {0, text.size() - at, true};
    const std::uint32_t value = bigEndian(text, at, 4);
    return {value, 4, !isScalarValue(value)};
}

void appendBytes(std::string& text, std::uint32_t value, int bytes)
{
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
        text += char(value >> unsigned(shift));
}

} // namespace

CodePoint nextCodePoint(Encoding encoding, std::string_view text, std::size_t at)
{
    switch (encoding) {
    case Encoding::Utf8: return nextUtf8(text, at);
    case Encoding::Utf16: return nextUtf16(text, at);
    case Encoding::Utf32: return nextUtf32(text, at);
    case Encoding::Latin1: return {unitAt(text, at), 1, false};
    case Encoding::Ascii: return {unitAt(text, at), 1, unitAt(text, at) > 0x7F};
    }
    return {};
}

void appendCodePoint(std::string& text, std::uint32_t value, Encoding encoding)
{
    if (encoding == Encoding::Utf32)
        return appendBytes(text, value, 4);
    if (encoding == Encoding::Utf16) {
        if (value < 0x10000)
            return appendBytes(text, value, 2);
        appendBytes(text, 0xD800 + ((value - 0x10000) >> 10U), 2);
        return appendBytes(text, 0xDC00 + ((value - 0x10000) & 0x3FFU), 2);
    }
    if (value < 0x80) {
        text += char(value);
    } else if (value < 0x800) {
        text += char(0xC0 | value >> 6U);
        text += char(0x80 | (value & 0x3FU));
    } else if (value < 0x10000) {
        text += char(0xE0 | value >> 12U);
        text += char(0x80 | (value >> 6U & 0x3FU));
        text += char(0x80 | (value & 0x3FU));
    } else {
        text += char(0xF0 | value >> 18U);
        text += char(0x80 | (value >> 12U & 0x3FU));
        text += char(0x80 | (value >> 6U & 0x3FU));
        text += char(0x80 | (value & 0x3FU));
    }
}

} // namespace lapidary
