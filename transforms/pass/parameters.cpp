// SPDX-License-Identifier: Apache-2.0
#include "transforms/pass/parameters.h"

#include "transforms/pass/number_values.h"

#include <algorithm>

namespace lapidary {
namespace {

Error parameterError(std::string_view name, const std::string& what)
{
    return {ErrorCode::InvalidArgument, "parameter " + std::string(name) + " " + what};
}

} // namespace

void Parameters::add(std::string name, std::string value)
{
    m_entries.emplace_back(std::move(name), std::move(value));
}

std::size_t Parameters::count(std::string_view name) const
{
    return std::size_t(
        std::ranges::count_if(m_entries, [&](const auto& entry) { return entry.first == name; }));
}

std::vector<std::string> Parameters::all(std::string_view name) const
{
    std::vector<std::string> values;
    for (const auto& [key, value] : m_entries)
        if (key == name)
            values.push_back(value);
    return values;
}

Result<std::string> Parameters::oneString(std::string_view name, std::string_view fallback) const
{
    const std::vector<std::string> values = all(name);
    if (values.empty())
        return std::string(fallback);
    if (values.size() > 1)
        return parameterError(name, "is given " + std::to_string(values.size()) +
                                        " times, once is enough");
    return values.front();
}

Result<std::int32_t> Parameters::oneInt32(std::string_view name, std::int32_t fallback) const
{
    ASSIGN_OR_RETURN(const auto wide, oneInt64(name, fallback));
    if (wide != std::int32_t(wide))
        return parameterError(name, "is out of the range of 32 bits");
    return std::int32_t(wide);
}

Result<std::int64_t> Parameters::oneInt64(std::string_view name, std::int64_t fallback) const
{
    if (count(name) == 0)
        return fallback;
    ASSIGN_OR_RETURN(const auto text, oneString(name, ""));
    const auto number = integerValue(text);
    if (!number)
        return parameterError(name, "must be an integer, not \"" + text + "\"");
    return *number;
}

Result<float> Parameters::oneFloat(std::string_view name, float fallback) const
{
    if (count(name) == 0)
        return fallback;
    ASSIGN_OR_RETURN(const auto text, oneString(name, ""));
    const auto number = floatValue(text);
    if (!number)
        return parameterError(name, "must be a number, not \"" + text + "\"");
    return *number;
}

Result<bool> Parameters::oneBool(std::string_view name, bool fallback) const
{
    if (count(name) == 0)
        return fallback;
    ASSIGN_OR_RETURN(const auto text, oneString(name, ""));
    if (text == "true" || text == "1")
        return true;
    if (text == "false" || text == "0")
        return false;
    return parameterError(name, "must be true or false, not \"" + text + "\"");
}

Result<std::string> Parameters::required(std::string_view name, std::string_view pass) const
{
    if (count(name) != 1)
        return Error{ErrorCode::InvalidArgument, std::string(pass) + " needs the parameter " +
                                                     std::string(name) + " exactly once, as in " +
                                                     std::string(pass) + "(" + std::string(name) +
                                                     "=...)"};
    return all(name).front();
}

Result<Shape> parseShapeList(std::string_view text)
{
    Shape shape;
    if (text == "scalar" || text == "unknown") {
        shape.unknownRank = text == "unknown";
        return shape;
    }
    const Error fault{ErrorCode::InvalidArgument,
                      "\"" + std::string(text) +
                          "\" is not a shape; write sizes as in 1,224,224,3, or scalar or unknown"};
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        const auto size = integerValue(text.substr(start, comma - start));
        if (!size || *size < -1)
            return fault;
        shape.dims.push_back(*size);
        start = comma + 1;
    }
    return shape;
}

} // namespace lapidary
