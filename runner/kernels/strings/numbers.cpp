// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/strings/numbers.h"

#include "graph_model/base/text.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace lapidary {
namespace {

bool isWord(std::string_view text, std::string_view word)
{
    if (text.size() != word.size())
        return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if ((text[i] | 0x20) != word[i])
            return false;
    return true;
}

// Parses a number that is too large or too small for T: its value in the widest type decides.
template <class T>
T beyond(std::string_view digits, std::chars_format format)
{
    long double wide = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), wide, format);
    const bool isHuge = read.ec == std::errc() ? wide > 1 : digits.find("e-") == digits.npos;
    return isHuge ? std::numeric_limits<T>::infinity() : T(0);
}

template <class T>
std::optional<T> parse(std::string_view text)
{
    text = trimmed(text);
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    if (isWord(text, "inf"))
        return isNegative ? -std::numeric_limits<T>::infinity()
                          : std::numeric_limits<T>::infinity();
    if (isWord(text, "nan"))
        return std::numeric_limits<T>::quiet_NaN();
    auto format = std::chars_format::general;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        format = std::chars_format::hex;
        text.remove_prefix(2);
    }
    if (text.empty() || text.front() == '-' || (text.front() | 0x20) == 'i' ||
        (text.front() | 0x20) == 'n')
        return std::nullopt;
    T value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, format);
    if (read.ptr != text.data() + text.size() || read.ec == std::errc::invalid_argument)
        return std::nullopt;
    if (read.ec == std::errc::result_out_of_range)
        value = beyond<T>(text, format);
    return isNegative ? -value : value;
}

} // namespace

std::optional<std::int64_t> parseInteger(std::string_view text, DType dtype)
{
    text = trimmed(text);
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
        return std::nullopt;
    if (dtype == DType::Int32 && (value < INT32_MIN || value > INT32_MAX))
        return std::nullopt;
    return value;
}

std::optional<double> parseFloating(std::string_view text)
{
    return parse<double>(text);
}

std::optional<float> parseFloat32(std::string_view text)
{
    return parse<float>(text);
}

} // namespace lapidary
