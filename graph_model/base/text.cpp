// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/text.h"

#include <algorithm>

namespace lapidary {

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return lower;
}

std::string inQuotes(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + 2);
    return out.append(1, '"').append(text).append(1, '"');
}

std::string escapedBytes(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n' || c == '\r' || c == '\t')
            text += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
        else if (c == '"' || c == '\'' || c == '\\')
            text.append("\\").push_back(c);
        else if (byte >= 0x20 && byte < 0x7F)
            text.push_back(c);
        else
            text.append({'\\', char('0' + (byte >> 6)), char('0' + ((byte >> 3) & 7)),
                         char('0' + (byte & 7))});
    }
    return text;
}

} // namespace lapidary
