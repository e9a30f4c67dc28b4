#include "transforms/pass/number_values.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>

namespace lapidary {
namespace {

constexpr std::string_view whiteSpace = " \t\n\v\f\r";

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(whiteSpace);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(whiteSpace) - first + 1);
}

} // namespace

std::optional<std::int64_t> integerValue(std::string_view text)
{
    const std::string_view digits = trimmed(text);
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

std::optional<float> floatValue(std::string_view text)
{
    // strtof, because it reads what the original reads: hexadecimal floats and signs too.
    const std::string number(trimmed(text));
    if (number.empty())
        return std::nullopt;
    char* end = nullptr;
    const float value = std::strtof(number.c_str(), &end);
    if (end != number.c_str() + number.size())
        return std::nullopt;
    return value;
}

} // namespace lapidary
