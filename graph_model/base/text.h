// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ranges>
#include <string>
#include <string_view>

namespace lapidary {

// The white space of the C locale.
inline constexpr std::string_view whiteSpace = " \t\n\v\f\r";

constexpr bool isSpace(char c)
{
    return whiteSpace.find(c) != std::string_view::npos;
}

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Returns `text` without the blanks at its beginning and end; empty if it contains nothing else.
std::string_view trimmed(std::string_view text, std::string_view blanks = whiteSpace);

// Returns the text with small instead of capital letters, those of ASCII only.
std::string lowerCase(std::string_view text);

// "text": in double quotes and otherwise as it is. Text that comes from a file and is shown on a
// terminal goes through printable() first.
std::string inQuotes(std::string_view text);

// Escapes bytes as TensorFlow prints them (CEscape): \n, \r, \t, \", \', \\ and three octal digits
// for everything that is not printable ASCII. Adds no quotes.
std::string escapedBytes(std::string_view bytes);

// "a, b, c": what `textOf` gives for each of them, a std::string_view or a std::string.
template <std::ranges::input_range Range, class TextOf = std::identity>
std::string listed(const Range& range, TextOf textOf = {})
{
    std::string list;
    for (const auto& element : range) {
        if (!list.empty())
            list += ", ";
        list += std::invoke(textOf, element);
    }
    return list;
}

} // namespace lapidary
