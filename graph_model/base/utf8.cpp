// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/utf8.h"

#include <cstdint>
#include <cstring>

namespace lapidary {
namespace {

// Counts the ASCII characters at the start of `text`, eight at a time.
std::size_t asciiLength(std::string_view text)
{
    std::size_t at = 0;
    for (; text.size() - at >= 8; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, 8);
        if ((word & 0x8080808080808080U) != 0)
            break;
    }
    while (at < text.size() && static_cast<signed char>(text[at]) >= 0)
        ++at;
    return at;
}

} // namespace

std::size_t utf8Length(std::string_view text)
{
    const auto follows = [text](std::size_t i, unsigned low, unsigned high) {
        if (i >= text.size())
            return false;
        const auto byte = static_cast<unsigned char>(text[i]);
        return byte >= low && byte <= high;
    };
    if (text.empty())
        return 0;
    const unsigned lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return follows(1, 0x80, 0xBF) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = lead == 0xED ? 0x9F : 0xBF;
        return follows(1, low, high) && follows(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return follows(1, low, high) && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

bool isValidUtf8(std::string_view text)
{
    while (true) {
        text.remove_prefix(asciiLength(text));
        if (text.empty())
            return true;
        const std::size_t length = utf8Length(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
}

} // namespace lapidary
