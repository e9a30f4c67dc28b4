// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/log_lines.h"

#include "tests/goldens/error_reasons.h"

#include <algorithm>
#include <sstream>

namespace lapidary::goldens {
namespace {

std::string plainLine(std::string line)
{
    const std::size_t place = line.find("] ");
    const bool isLogged =
        place != std::string::npos && line.size() > 24 && line[4] == '-' && line.find(": ") < place;
    if (!isLogged)
        return line;
    return line.substr(line.find(": ") + 2, 2) + line.substr(place + 2);
}

} // namespace

std::vector<std::string> plainLines(const std::string& log)
{
    std::vector<std::string> lines;
    std::istringstream in(log);
    for (std::string line; std::getline(in, line);)
        lines.push_back(plainLine(line));
    return lines;
}

std::string errorText(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        if (!line.starts_with("I ") && !line.starts_with("W ")) {
            const bool hasLevel = line.starts_with("E ") || line.starts_with("F ");
            text += (text.empty() ? "" : "\n") + line.substr(hasLevel ? 2 : 0);
        }
    return text;
}

std::string complaintFault(std::vector<std::string> recorded, const std::string& err)
{
    std::erase_if(recorded, [](const std::string& line) {
        return line.find("{{node png_reader}}") != line.npos ||
               line.find("{{node jpeg_reader}}") != line.npos ||
               line.find("{{node ResizeBilinear}}") != line.npos;
    });
    const auto withoutUsage = [](std::string text) {
        text.resize(std::min(text.size(), text.find("\nusage: ")));
        return text;
    };
    return reasonFault({{"message", withoutUsage(errorText(recorded))}},
                       withoutUsage(errorText(plainLines(err))));
}

} // namespace lapidary::goldens
