// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/case_table.h"

#include "tests/catch.h"
#include "tests/source_folder.h"
#include "transforms/match/glob.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace lapidary::goldens {

std::filesystem::path tableFolder()
{
    if (const char* set = std::getenv("LAPIDARY_GOLDEN_TABLES"); set != nullptr && *set != 0)
        return set;
    return sourceFolder() / "tests" / "goldens";
}

std::vector<std::vector<std::string>> tableRows(const std::string& file)
{
    std::ifstream in(tableFolder() / file);
    INFO("reading " << tableFolder() / file);
    REQUIRE(in.good());
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        std::vector<std::string> cells;
        for (std::size_t start = 0; start <= line.size();) {
            const std::size_t end = std::min(line.find('\t', start), line.size());
            cells.push_back(line.substr(start, end - start));
            start = end + 1;
        }
        rows.push_back(std::move(cells));
    }
    return rows;
}

CaseTable::CaseTable(std::string file, const std::string& folder)
    : m_file(std::move(file))
{
    for (const auto& row : tableRows(m_file)) {
        INFO(m_file << ": a row is folder, case, reason");
        REQUIRE((row.size() == 3 && !row[2].empty()));
        if (row[0] != folder)
            continue;
        if (row[1].find('*') != std::string::npos) {
            m_kinds.push_back(row[1]);
            continue;
        }
        INFO(m_file << " names " << row[1] << " twice");
        REQUIRE(m_named.emplace(row[1], row[2]).second);
    }
}

bool CaseTable::isOfKind(const std::string& name) const
{
    return std::ranges::any_of(m_kinds,
                               [&](const std::string& kind) { return fitsGlob(name, kind); });
}

void CaseTable::useKind(const std::string& name)
{
    for (const std::string& kind : m_kinds)
        if (fitsGlob(name, kind))
            m_used.insert(kind);
}

std::vector<std::string> CaseTable::unused() const
{
    std::vector<std::string> rows;
    for (const auto& row : m_named)
        if (!m_used.contains(row.first))
            rows.push_back(row.first);
    for (const std::string& kind : m_kinds)
        if (!m_used.contains(kind))
            rows.push_back(kind);
    return rows;
}

} // namespace lapidary::goldens
