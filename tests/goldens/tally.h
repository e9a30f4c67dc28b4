// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/goldens/case_table.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary::goldens {

// The result of a numeric comparison for a graph that was transformed in another way than recorded.
struct Proof {
    bool isProven = false; // it ran and computes what was expected
    std::string text;      // the difference, or what is missing
};

// Counts the cases of one folder, prints its line and the names of the failed ones, and fails the
// test if there are any. Three tables decide, each row of which has to be needed:
//   differences.tsv  cases that differ on purpose
//   unproven.tsv     of these, the ones whose numbers cannot be proven by running them, and why
//   equal.tsv        cases that are equal to a recording that the original itself got wrong, and
//                    why equal is right
// A folder without a case fails.
class Tally {
public:
    explicit Tally(std::string folder);

    // Starts a part with counts of its own, which are printed at its end.
    void beginPart(std::string part);

    // `fault` is a contradiction in the recording itself; empty for none.
    void held(const std::string& name, const std::string& fault = {});
    // Counts a case that differs: on purpose if the table says so, else failed. With `proof`, the
    // case must be proven or be in the table of those that cannot be; cases of a kind must always
    // be proven.
    void differs(const std::string& name, const std::string& what,
                 const std::optional<Proof>& proof = {});
    // Counts a failure whatever the tables say: the recording itself is wrong.
    void fails(const std::string& name, const std::string& why)
    {
        m_failed.push_back(name + ": " + why);
    }
    const std::string& folder() const { return m_folder; }
    // Counts cases of a kind, printed below the folder's line.
    void count(const std::string& kind) { ++m_kinds[kind]; }
    void skipped(const std::string& name, const std::string& why);
    void check(bool holds, const std::string& name, const std::string& what)
    {
        holds ? held(name) : differs(name, what);
    }
    // The test reads only some of the cases: a row that is not needed is a failure only if its case
    // has this prefix.
    void readsSome() { m_readsAll = false; }
    void readsOnly(std::string prefix) { m_prefix = std::move(prefix); }
    void finish();
    // Returns the reasons for which finish() fails, for tests of the harness itself.
    std::vector<std::string> failures() const;

private:
    struct Counts {
        int held = 0;
        int proven = 0;
        int unproven = 0;
        int skipped = 0;
        std::size_t failed = 0;
    };
    Counts counts() const;
    void endPart();

    std::string m_folder;
    std::string m_part;
    std::string m_prefix; // of the cases read
    Counts m_before;      // of finished parts
    CaseTable m_differences;
    CaseTable m_unproven;
    CaseTable m_equal;
    std::vector<std::string> m_failed;
    std::map<std::string, int> m_skippedFor;
    std::map<std::string, int> m_kinds;
    int m_held = 0;
    int m_proven = 0;
    int m_unprovenCases = 0;
    int m_skipped = 0;
    bool m_readsAll = true;
};

} // namespace lapidary::goldens
