#include "app/cli/tools/original_flags.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <ostream>

namespace lapidary {

void originalLog(std::ostream& err, const std::string& message)
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    const std::time_t seconds = std::time_t(micros / 1'000'000);
    std::tm local{};
    localtime_r(&seconds, &local);
    char stamp[64];
    const std::size_t length = std::strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &local);
    const std::string fraction = std::to_string(1'000'000 + micros % 1'000'000).substr(1);
    err << std::string_view(stamp, length) << '.' << fraction << ": E lapidary] " << message
        << '\n';
}

OriginalFlags::OriginalFlags(std::string_view program)
    : m_program(program)
{
}

void OriginalFlags::addString(std::string name, std::string& value, std::string help)
{
    m_flags.push_back({std::move(name), std::move(help), '"' + value + '"', &value, nullptr});
}

void OriginalFlags::addBool(std::string name, bool& value, std::string help)
{
    m_flags.push_back(
        {std::move(name), std::move(help), value ? "true" : "false", nullptr, &value});
}

OriginalFlags::Match OriginalFlags::match(const Flag& flag, std::string_view argument,
                                          std::ostream& err) const
{
    const std::string prefix = "--" + flag.name;
    if (!argument.starts_with(prefix))
        return Match::No;
    argument.remove_prefix(prefix.size());
    if (flag.text != nullptr) {
        if (!argument.starts_with('='))
            return Match::No;
        *flag.text = argument.substr(1);
        return Match::Yes;
    }
    if (argument.empty() || argument == "=true" || argument == "=false") {
        *flag.truth = argument != "=false";
        return Match::Yes;
    }
    if (!argument.starts_with('='))
        return Match::No;
    originalLog(err, "Couldn't interpret value " + std::string(argument) + " for flag " +
                         flag.name + ".");
    return Match::BadValue;
}

bool OriginalFlags::parse(std::span<const std::string> arguments, std::ostream& err)
{
    bool good = true;
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
        text += "\t" + column + "\t" + (flag.text != nullptr ? "string" : "bool") + "\t" +
                flag.help + "\n";
    }
    return text;
}

} // namespace lapidary
