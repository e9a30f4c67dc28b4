// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/digits.h"

#include <charconv>

namespace lapidary {
namespace {

template <class Number, class... Form>
std::string digitsOf(Number value, Form... form)
{
    if (value != value)
        return "nan"; // regardless of its sign bit
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value, form...).ptr};
}

} // namespace

std::string sixDigits(double value)
{
    return digitsOf(value, std::chars_format::general, 6);
}

std::string shortestDigits(double value)
{
    return digitsOf(value);
}

std::string shortestDigits(float value)
{
    return digitsOf(value);
}

} // namespace lapidary
