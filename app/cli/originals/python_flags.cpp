// SPDX-License-Identifier: Apache-2.0
#include "app/cli/originals/python_flags.h"

#include <algorithm>
#include <charconv>
#include <ostream>
#include <set>

namespace lapidary {
namespace {

std::string inLowerCase(std::string text)
{
    for (char& c : text)
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return text;
}

bool isHelp(const std::string& word)
{
    return word == "--help" || word == "-h";
}

} // namespace

int pythonException(std::string_view kind, const std::string& message, const Console& console)
{
    console.err << kind << ": " << message << '\n';
    return pythonFailure;
}

PythonFlags::PythonFlags(std::string_view calledAs)
    : m_program(calledAs.substr(calledAs.rfind('/') + 1))
{
}

void PythonFlags::addText(std::string name, std::string& value, Need need)
{
    m_flags.push_back({.name = std::move(name),
                       .set =
                           [&value](const std::string& text) {
                               value = text;
                               return true;
                           },
                       .isRequired = need == Need::Required});
}

void PythonFlags::addInt(std::string name, std::int64_t& value)
{
    m_flags.push_back({.name = std::move(name), .set = [&value](const std::string& text) {
                           const char* const end = text.data() + text.size();
                           const auto read = std::from_chars(text.data(), end, value);
                           return read.ec == std::errc() && read.ptr == end;
                       }});
}

void PythonFlags::addBool(std::string name, bool& value)
{
    m_flags.push_back({.name = std::move(name),
                       .set =
                           [&value](const std::string& text) {
                               value = text.empty() || inLowerCase(text) == "true";
                               return true;
                           },
                       .standsAlone = true});
}

void PythonFlags::addPresence(std::string name, bool& value)
{
    m_flags.push_back({.name = std::move(name), .set = [&value](const std::string& text) {
                           value = !text.empty();
                           return true;
                       }});
}

const PythonFlags::Flag* PythonFlags::find(const std::string& name) const
{
    const Flag* found = nullptr;
    for (const Flag& flag : m_flags) {
        if (flag.name == name)
            return &flag;
        if (!flag.name.starts_with(name))
            continue;
        if (found != nullptr)
            return nullptr;
        found = &flag;
    }
    return found;
}

std::string PythonFlags::fault(std::span<const std::string> words) const
{
    std::set<const Flag*> given;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const std::size_t equals = std::min(word.find('='), word.size());
        const Flag* flag =
            word.starts_with("--") && equals > 2 ? find(word.substr(2, equals - 2)) : nullptr;
        if (flag == nullptr)
            return "unrecognized arguments: " + word;
        given.insert(flag);
        const bool hasNext = i + 1 < words.size() && !words[i + 1].starts_with("--");
        std::string value;
        if (equals < word.size())
            value = word.substr(equals + 1);
        else if (hasNext)
            value = words[++i];
        else if (!flag->standsAlone)
            return "argument --" + flag->name + ": expected one argument";
        if (!flag->set(value))
            return "argument --" + flag->name + ": invalid int value: '" + value + "'";
    }
    std::string missing;
    for (const Flag& flag : m_flags)
        if (flag.isRequired && given.count(&flag) == 0)
            missing += (missing.empty() ? "--" : ", --") + flag.name;
    return missing.empty() ? "" : "the following arguments are required: " + missing;
}

std::string PythonFlags::usage() const
{
    std::string text = "usage: " + m_program + " [-h]";
    for (const Flag& flag : m_flags) {
        std::string value = flag.name;
        for (char& c : value)
            c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
        const std::string item = "--" + flag.name + " " + value;
        text += flag.isRequired ? " " + item : " [" + item + "]";
    }
    return text + "\n";
}

std::optional<int> PythonFlags::parse(std::span<const std::string> words,
                                      const Console& console) const
{
    if (std::ranges::any_of(words, isHelp)) {
        console.out << usage();
        return 0;
    }
    const std::string what = fault(words);
    if (what.empty())
        return {};
    console.err << usage() << m_program << ": error: " << what << '\n';
    return argumentFailure;
}

} // namespace lapidary
