// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lapidary::goldens {

// The folder of this folder's tables (*.tsv): $LAPIDARY_GOLDEN_TABLES, else tests/goldens.
std::filesystem::path tableFolder();

// The rows of a table, split at tabs, without comments and empty lines.
std::vector<std::vector<std::string>> tableRows(const std::string& file);

// A table with remarks on cases of one folder. A row has folder, case and reason. A case with a *
// stands for all cases of that kind.
class CaseTable {
public:
    CaseTable(std::string file, const std::string& folder);

    bool names(const std::string& name) const { return m_named.contains(name); }
    bool isOfKind(const std::string& name) const;
    // Notes that a row is needed, and which one.
    void use(const std::string& name) { m_used.insert(name); }
    void useKind(const std::string& name);
    // Returns the rows that were never needed.
    std::vector<std::string> unused() const;
    const std::string& file() const { return m_file; }

private:
    std::string m_file;
    std::map<std::string, std::string> m_named; // case -> reason
    std::vector<std::string> m_kinds;
    std::set<std::string> m_used;
};

} // namespace lapidary::goldens
