// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/golden_data.h"

#include "app/cli/command_line.h"
#include "tests/catch.h"
#include "tests/shared_data.h"
#include "tests/source_folder.h"
#include "transforms/match/glob.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace lapidary::goldens {
namespace fs = std::filesystem;

fs::path dataRoot()
{
    return sharedData();
}

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
    std::string pattern = (fs::temp_directory_path() / "lapidary-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    m_path = pattern;
    fs::current_path(m_path);
}

WorkingFolder::~WorkingFolder()
{
    std::error_code ignored;
    fs::current_path(m_before, ignored);
    fs::remove_all(m_path, ignored);
}

void WorkingFolder::clear() const
{
    for (const auto& entry : fs::directory_iterator(m_path))
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

bool present(const std::string& folder)
{
    if (fs::is_directory(dataRoot() / folder))
        return true;
    std::cout << folder << ": skipped, not in " << dataRoot().string()
              << " (LAPIDARY_SHARED names another place)\n";
    return false;
}

Tally::Tally(std::string folder)
    : m_folder(std::move(folder))
{
    std::istringstream lines(readBytes(sourceFolder() / "tests" / "goldens" / "differences.tsv"));
    std::string line;
    while (std::getline(lines, line)) {
        const std::size_t first = line.find('\t');
        const std::size_t second = line.find('\t', first + 1);
        if (first == std::string::npos || second == std::string::npos || line[0] == '#')
            continue;
        if (line.substr(0, first) != m_folder)
            continue;
        const std::string name = line.substr(first + 1, second - first - 1);
        if (name.find('*') == std::string::npos)
            m_onPurpose[name] = line.substr(second + 1);
        else
            m_kindsOnPurpose.push_back(name);
    }
}

bool Tally::isOfKindOnPurpose(const std::string& name) const
{
    return std::ranges::any_of(m_kindsOnPurpose,
                               [&](const std::string& kind) { return fitsGlob(name, kind); });
}

void Tally::held(const std::string& name)
{
    ++m_held;
    if (m_onPurpose.count(name) != 0)
        m_failed.push_back(name + ": holds, but differences.tsv says that it differs");
}

void Tally::differs(const std::string& name, const std::string& what, bool isHarmless)
{
    if (m_onPurpose.count(name) != 0 || (isHarmless && isOfKindOnPurpose(name)))
        ++m_differ;
    else
        m_failed.push_back(name + ": " + what);
}

void Tally::skipped(const std::string&, const std::string& why)
{
    ++m_skipped;
    ++m_skippedFor[why];
}

Tally::Counts Tally::counts() const
{
    return {m_held, m_differ, m_skipped, m_failed.size()};
}

void Tally::beginPart(std::string part)
{
    endPart();
    m_part = std::move(part);
    m_before = counts();
}

void Tally::endPart()
{
    if (m_part.empty())
        return;
    const Counts now = counts();
    std::cout << "  " << m_part << ": " << now.held - m_before.held << " held, "
              << now.differ - m_before.differ << " differ on purpose, "
              << now.failed - m_before.failed << " failed, " << now.skipped - m_before.skipped
              << " skipped\n";
    m_part.clear();
}

void Tally::finish()
{
    endPart();
    const std::size_t cases = std::size_t(m_held + m_differ + m_skipped) + m_failed.size();
    std::cout << m_folder << ": " << cases << " cases, " << m_held << " held, " << m_differ
              << " differ on purpose, " << m_failed.size() << " failed, " << m_skipped
              << " skipped\n";
    for (const std::string& failure : m_failed)
        std::cout << "  failed: " << failure << '\n';
    for (const auto& [kind, number] : m_kinds)
        std::cout << "  " << kind << ": " << number << '\n';
    for (const auto& reason : m_skippedFor)
        std::cout << "  skipped " << reason.second << ": " << reason.first << '\n';
    CHECK(m_failed.empty());
}

} // namespace lapidary::goldens
