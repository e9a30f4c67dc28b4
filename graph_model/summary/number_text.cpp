// SPDX-License-Identifier: Apache-2.0
#include "graph_model/summary/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace lapidary {
namespace {

template <class Number>
std::string printed(Number value, std::chars_format format, int precision)
{
    std::array<char, 400> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
    return {text.data(), end.ptr};
}

template <class Number>
std::string roundTrip(Number value, int fewDigits, int allDigits)
{
    if (std::isnan(value))
        return std::signbit(value) ? "-nan" : "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    std::string text = printed(value, std::chars_format::general, fewDigits);
    Number parsed = 0;
    std::from_chars(text.data(), text.data() + text.size(), parsed);
    return parsed == value ? text : printed(value, std::chars_format::general, allDigits);
}

} // namespace

std::string floatText(float value)
{
    return roundTrip(value, 6, 9);
}

std::string doubleText(double value)
{
    return roundTrip(value, 15, 17);
}

std::string humanReadableNumber(std::int64_t value)
{
    constexpr std::int64_t beyondUnits = 1'000'000'000'000'000;
    if (value < 0)
        return "-" + humanReadableNumber(value == INT64_MIN ? INT64_MAX : -value);
    if (value < 1000)
        return std::to_string(value);
    if (value >= beyondUnits) {
        std::string text = printed(double(value), std::chars_format::general, 3);
        std::ranges::replace(text, 'e', 'E');
        return text;
    }
    std::string_view units = "kMBT";
    while (value >= 1'000'000) {
        value /= 1000;
        units.remove_prefix(1);
    }
    return printed(double(value) / 1000.0, std::chars_format::fixed, 2) + units.front();
}

} // namespace lapidary
