// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/golden_data.h"

#include "app/cli/command_line.h"
#include "tests/catch.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace lapidary::goldens {
namespace fs = std::filesystem;

std::string readBytes(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    INFO("reading " << file);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeBytes(const fs::path& file, std::string_view bytes)
{
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), std::streamsize(bytes.size()));
    INFO("writing " << file);
    REQUIRE(out.flush().good());
}

nlohmann::json loadJson(const fs::path& file)
{
    nlohmann::json parsed = nlohmann::json::parse(readBytes(file), nullptr, false);
    INFO("parsing " << file);
    REQUIRE_FALSE(parsed.is_discarded());
    return parsed;
}

std::vector<nlohmann::json> loadCases(const fs::path& file)
{
    std::vector<nlohmann::json> cases;
    std::istringstream lines(readBytes(file));
    std::string line;
    while (std::getline(lines, line)) {
        if (line.empty())
            continue;
        cases.push_back(nlohmann::json::parse(line, nullptr, false));
        INFO(file << ", case " << cases.size());
        REQUIRE_FALSE(cases.back().is_discarded());
    }
    return cases;
}

std::string decodeBase64(std::string_view text)
{
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned buffer = 0;
    int bits = 0;
    for (const char c : text) {
        const std::size_t value = alphabet.find(c);
        if (value == std::string_view::npos)
            continue;
        buffer = (buffer << 6) | unsigned(value);
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        bytes.push_back(char((buffer >> bits) & 0xFFU));
    }
    return bytes;
}

WorkingFolder::WorkingFolder()
    : m_before(fs::current_path())
{
    fs::current_path(path());
}

WorkingFolder::~WorkingFolder()
{
    std::error_code ignored;
    fs::current_path(m_before, ignored);
}

void WorkingFolder::clear() const
{
    for (const auto& entry : fs::directory_iterator(path()))
        fs::remove_all(entry.path());
}

Ran runProgram(const std::vector<std::string>& arguments, const std::string& input)
{
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    Console console{in, out, err};
    const int code = runCommandLine(arguments, console);
    return {code, out.str(), err.str()};
}

} // namespace lapidary::goldens
