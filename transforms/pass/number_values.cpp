// SPDX-License-Identifier: Apache-2.0
#include "transforms/pass/number_values.h"

#include "graph_model/base/text.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>

namespace lapidary {
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
    // strtof() accepts the same text as the original: hexadecimal floats and signs too.
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
