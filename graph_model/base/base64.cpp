// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/base64.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lapidary {
namespace {

std::string_view digitsOf(Base64 alphabet)
{
    return alphabet == Base64::Standard
               ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
               : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
}

} // namespace

std::string encodedBase64(std::string_view bytes, Base64 alphabet, bool pads)
{
    const std::string_view digits = digitsOf(alphabet);
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (k < count ? std::uint8_t(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            if (k <= count)
                text += digits[group >> (18 - 6 * k) & 63U];
            else if (pads)
                text += '=';
    }
    return text;
}

std::optional<std::string> decodedBase64(std::string_view text, Base64 alphabet)
{
    for (int i = 0; i < 2 && text.ends_with('=') && text.size() % 4 == (i == 0 ? 0U : 3U); ++i)
        text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return std::nullopt;
    const std::string_view digits = digitsOf(alphabet);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos)
            return std::nullopt;
        group = group << 6U | std::uint32_t(digit);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += char(group >> bits & 0xFFU);
        }
    }
    return bytes;
}

} // namespace lapidary
