// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/source_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

namespace fs = std::filesystem;

namespace structure {
namespace {

// Returns the position after the literal or comment that begins at `at`; `at` itself if none does.
std::size_t afterHidden(const std::string& text, std::size_t at)
{
    if (text.compare(at, 2, "//") == 0)
        return std::min(text.find('\n', at), text.size());
    if (text.compare(at, 2, "/*") == 0)
        return std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    if (text.compare(at, 2, "R\"") == 0) {
        const std::size_t open = text.find('(', at);
        const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
        return std::min(text.find(close, open), text.size() - close.size()) + close.size();
    }
    const char quote = text[at];
    const bool isDigitSeparator =
        quote == '\'' && at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
    if ((quote != '"' && quote != '\'') || isDigitSeparator)
        return at;
    for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
        if (text[at] == '\\')
            ++at;
    return std::min(at + 1, text.size());
}

std::vector<std::string> includesOf(const std::string& text)
{
    static const std::regex line("(?:^|\n)#include \"([^\"]+)\"");
    std::vector<std::string> includes;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), line);
         at != std::sregex_iterator(); ++at)
        includes.push_back((*at)[1]);
    return includes;
}

} // namespace

std::string withoutComments(const std::string& text)
{
    std::string code = text;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = afterHidden(text, at);
        const bool isLiteral = end > at && text[at] != '/';
        for (std::size_t i = at; i < end; ++i)
            if (code[i] != '\n')
                code[i] = ' ';
        if (isLiteral) { // its quotes stay
            code[at] = '"';
            code[end - 1] = '"';
        }
        at = std::max(end, at + 1);
    }
    return code;
}

std::size_t lineCount(const std::string& text)
{
    return std::size_t(std::ranges::count(text, '\n'));
}

std::vector<SourceFile> readTree(const fs::path& root, const std::vector<std::string>& layers)
{
    std::vector<SourceFile> files;
    for (const std::string& layer : layers) {
        if (!fs::is_directory(root / layer))
            continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / layer)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp" && extension != ".inc")
                continue;
            SourceFile file;
            file.path = fs::relative(entry.path(), root).generic_string();
            file.folder = fs::path(file.path).parent_path().generic_string();
            file.layer = layer;
            std::ifstream stream(entry.path(), std::ios::binary);
            file.text.assign(std::istreambuf_iterator<char>(stream), {});
            file.code = withoutComments(file.text);
            file.includes = includesOf(file.text);
            files.push_back(std::move(file));
        }
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

} // namespace structure
