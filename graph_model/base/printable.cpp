// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/printable.h"

#include "graph_model/base/utf8.h"

#include <algorithm>
#include <cstdint>

namespace lapidary {
namespace {

std::uint8_t byteAt(std::string_view text, std::size_t at)
{
    return std::uint8_t(text[at]);
}

bool isHiddenMark(std::string_view text, std::size_t length)
{
    if (length == 2) // C1 controls
        return byteAt(text, 0) == 0xC2 && byteAt(text, 1) < 0xA0;
    if (length != 3 || byteAt(text, 0) != 0xE2)
        return false;
    const std::uint8_t second = byteAt(text, 1);
    const std::uint8_t third = byteAt(text, 2);
    return (second == 0x80 && third >= 0xA8 && third <= 0xAE) || // line ends, bidi embeddings
           (second == 0x81 && third >= 0xA6 && third <= 0xA9);   // bidi isolates
}

// Returns the length of the well-formed, visible sequence at the start of `text`; 0 if there is
// none.
std::size_t visibleLength(std::string_view text)
{
    const std::uint8_t lead = byteAt(text, 0);
    if (lead < 0x20 || lead == 0x7F)
        return 0;
    const std::size_t length = utf8Length(text);
    return isHiddenMark(text, length) ? 0 : length;
}

} // namespace

std::string printable(std::string_view text)
{
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = visibleLength(text);
        if (length > 0) {
            out += text.substr(0, length);
        } else {
            const std::uint8_t byte = byteAt(text, 0);
            out.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

} // namespace lapidary
