#include "graph_model/base/printable.h"

#include <algorithm>
#include <cstdint>

namespace lapidary {
namespace {

std::uint8_t byteAt(std::string_view text, std::size_t at)
{
    return std::uint8_t(text[at]);
}

// Bytes of the UTF-8 sequence that `lead` begins, or 0.
std::size_t sequenceLength(std::uint8_t lead)
{
    if (lead < 0xC2 || lead > 0xF4)
        return lead < 0x80 ? 1 : 0;
    return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
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

// The length of a well-formed, visible sequence at the start of `text`, or 0.
std::size_t visibleLength(std::string_view text)
{
    const std::uint8_t lead = byteAt(text, 0);
    if (lead < 0x20 || lead == 0x7F)
        return 0;
    const std::size_t length = sequenceLength(lead);
    if (length == 0 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byteAt(text, i) & 0xC0) != 0x80)
            return 0;
    const bool isOverlong =
        (lead == 0xE0 && byteAt(text, 1) < 0xA0) || (lead == 0xF0 && byteAt(text, 1) < 0x90);
    const bool isSurrogate = lead == 0xED && byteAt(text, 1) >= 0xA0;
    const bool isBeyond = lead == 0xF4 && byteAt(text, 1) >= 0x90;
    return isOverlong || isSurrogate || isBeyond || isHiddenMark(text, length) ? 0 : length;
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
