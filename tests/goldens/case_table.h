// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lapidary::goldens {

// Where the tables of this folder (*.tsv) are read from: $LAPIDARY_GOLDEN_TABLES, else
// tests/goldens.
std::filesystem::path tableFolder();

// The rows of a table, cut at tabs; without comments and empty lines.
std::vector<std::vector<std::string>> tableRows(const std::string& file);

// What a table says of the cases of one folder. A row is: folder, case, reason. A case with a * is
// a kind, of which any number of cases are.
class CaseTable {
public:
    CaseTable(std::string file, const std::string& folder);

    bool names(const std::string& name) const { return m_named.contains(name); }
    bool isOfKind(const std::string& name) const;
    // Says that a row is needed, and which.
    void use(const std::string& name) { m_used.insert(name); }
    void useKind(const std::string& name);
    // The rows that nothing needed.
    std::vector<std::string> unused() const;
    const std::string& file() const { return m_file; }

private:
    std::string m_file;
    std::map<std::string, std::string> m_named; // case -> reason
    std::vector<std::string> m_kinds;
    std::set<std::string> m_used;
};

} // namespace lapidary::goldens
