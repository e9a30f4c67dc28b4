// SPDX-License-Identifier: Apache-2.0
#include "app/script/script.h"

#include <fstream>

#include <nlohmann/json.hpp>

namespace lapidary {
namespace {

// Returns the end of a JSON string that begins at `from`, after its closing quotation mark.
std::size_t stringEnd(std::string_view text, std::size_t from)
{
    for (std::size_t i = from + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    }
    return std::string_view::npos;
}

Result<std::string> decodeString(std::string_view quoted)
{
    const auto value = nlohmann::json::parse(quoted, nullptr, false);
    if (!value.is_string())
        return Error{ErrorCode::InvalidArgument, std::string(quoted) + " is not JSON string"};
    return value.get<std::string>();
}

Result<std::vector<std::string>> splitLine(std::string_view text)
{
    std::vector<std::string> words;
    static constexpr std::string_view blanks = " \t\r";
    for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;
         at = text.find_first_not_of(blanks, at)) {
        if (text[at] == '#')
            break;
        if (text[at] == '"') {
            const std::size_t end = stringEnd(text, at);
            if (end == std::string_view::npos)
                return Error{ErrorCode::InvalidArgument, "a quotation mark is never closed"};
            ASSIGN_OR_RETURN(auto word, decodeString(text.substr(at, end - at)));
            words.push_back(std::move(word));
            at = end;
            continue;
        }
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

} // namespace

Result<std::optional<ScriptLine>> parseScriptLine(std::string_view text, int number)
{
    auto words = splitLine(text);
    if (!words)
        return Error{ErrorCode::InvalidArgument,
                     "line " + std::to_string(number) + ": " + words.error().message};
    if (words->empty())
        return std::optional<ScriptLine>();
    ScriptLine line;
    line.number = number;
    line.command = words->front();
    line.arguments.assign(words->begin() + 1, words->end());
    return std::optional<ScriptLine>(std::move(line));
}

Result<std::vector<ScriptLine>> readScript(const std::filesystem::path& path)
{
    std::ifstream in(path);
    if (!in)
        return Error{ErrorCode::Io, path.string() + ": cannot be read; give a script file or -"};
    std::vector<ScriptLine> lines;
    std::string text;
    for (int number = 1; std::getline(in, text); ++number) {
        auto line = parseScriptLine(text, number);
        if (!line)
            return Error{line.error().code, path.string() + ": " + line.error().message};
        if (*line)
            lines.push_back(**std::move(line));
    }
    return lines;
}

} // namespace lapidary
