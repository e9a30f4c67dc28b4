// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ranges>
#include <string>
#include <string_view>

namespace lapidary {

// White space in the C locale.
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

// Converts the capital letters of ASCII to lower case.
std::string lowerCase(std::string_view text);

// Puts the text between double quotes, without escapes. Text of a file for a terminal must go
// through printable() first.
std::string inQuotes(std::string_view text);

// Escapes bytes as TensorFlow prints them (CEscape): \n, \r, \t, \", \', \\ and three octal digits
// for everything that is not printable ASCII. Adds no quotes.
std::string escapedBytes(std::string_view bytes);

// Returns the elements as "a, b, c". `textOf` returns the std::string_view or std::string of an
// element.
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
