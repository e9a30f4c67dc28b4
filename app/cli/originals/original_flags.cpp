// SPDX-License-Identifier: Apache-2.0
#include "app/cli/originals/original_flags.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <ostream>

namespace lapidary {

void originalLog(std::ostream& err, const std::string& message, char level)
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    const std::time_t seconds = std::time_t(micros / 1'000'000);
    std::tm local{};
    localtime_r(&seconds, &local);
    char stamp[64];
    const std::size_t length = std::strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &local);
    const std::string fraction = std::to_string(1'000'000 + micros % 1'000'000).substr(1);
    err << std::string_view(stamp, length) << '.' << fraction << ": " << level << " lapidary] "
        << message << '\n';
}

OriginalFlags::OriginalFlags(std::string_view program)
    : m_program(program)
{
}

void OriginalFlags::addString(std::string name, std::string& value, std::string help)
{
    m_flags.push_back({std::move(name), std::move(help), '"' + value + '"', "string",
                       [&value](const std::string& given) {
                           value = given;
                           return true;
                       }});
}

void OriginalFlags::addBool(std::string name, bool& value, std::string help)
{
    m_flags.push_back({std::move(name), std::move(help), value ? "true" : "false", "bool",
                       [&value](const std::string& given) {
                           value = given != "false";
                           return given == "true" || given == "false";
                       }});
}

void OriginalFlags::addInt(std::string name, std::int32_t& value, std::string help)
{
    m_flags.push_back({std::move(name), std::move(help), std::to_string(value), "int32",
                       [&value](const std::string& given) {
                           char* end = nullptr;
                           const long long number = std::strtoll(given.c_str(), &end, 10);
                           value = std::int32_t(std::clamp(number, -2147483648LL, 2147483647LL));
                           return end != given.c_str() && *end == '\0';
                       }});
}

void OriginalFlags::addFloat(std::string name, float& value, std::string help)
{
    m_flags.push_back({std::move(name), std::move(help), std::to_string(value), "float",
                       [&value](const std::string& given) {
                           char* end = nullptr;
                           value = std::strtof(given.c_str(), &end);
                           return end != given.c_str() && *end == '\0';
                       }});
}

OriginalFlags::Match OriginalFlags::match(const Flag& flag, std::string_view argument,
                                          std::ostream& err) const
{
    const std::string prefix = "--" + flag.name;
    if (!argument.starts_with(prefix))
        return Match::No;
    argument.remove_prefix(prefix.size());
    const bool isBool = flag.type == "bool";
    if (isBool && argument.empty()) {
        flag.set("true");
        return Match::Yes;
    }
    if (!argument.starts_with('='))
        return Match::No;
    if (flag.set(std::string(argument.substr(1))))
        return Match::Yes;
    // The original prints the sign of a bool's value, and of no other.
    originalLog(err, "Couldn't interpret value " + std::string(argument.substr(isBool ? 0 : 1)) +
                         " for flag " + flag.name + ".");
    return Match::BadValue;
}

bool OriginalFlags::parse(std::span<const std::string> arguments, std::ostream& err)
{
    bool good = true;
    // Skips "--", which separates a bazel command from the flags of the program it runs.
    if (!arguments.empty() && arguments.front() == "--")
        arguments = arguments.subspan(1);
    for (const std::string& argument : arguments) {
        Match found = Match::No;
        for (std::size_t i = 0; i < m_flags.size() && found == Match::No; ++i)
            found = match(m_flags[i], argument, err);
        if (found == Match::No)
            m_leftover.push_back(argument);
        good = good && found != Match::BadValue;
    }
    return good && (m_leftover.empty() || m_leftover.front() != "--help");
}

std::string OriginalFlags::usage() const
{
    std::string text = "usage: " + m_program + "\nFlags:\n";
    for (const Flag& flag : m_flags) {
        std::string column = "--" + flag.name + "=" + flag.shownDefault;
        if (column.size() < 33)
            column.append(33 - column.size(), ' ');
        text += "\t" + column + "\t" + std::string(flag.type) + "\t" + flag.help + "\n";
    }
    return text;
}

} // namespace lapidary
