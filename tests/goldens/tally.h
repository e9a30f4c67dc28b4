// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/goldens/case_table.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary::goldens {

// The outcome for the numbers of a graph that was transformed in another way than recorded.
struct Proof {
    bool isProven = false; // it was run, and computes what it has to
    std::string text;      // how, or what is missing
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

    // Starts a part that is also counted on its own; its line is printed when the part ends.
    void beginPart(std::string part);

    // `fault` is what the recording says against itself, empty for nothing.
    void held(const std::string& name, const std::string& fault = {});
    // Does not hold: on purpose where the table says so, else a failure. With a proof, it needs to
    // be proven or to be in the table of those that cannot be; a kind has to be proven always.
    void differs(const std::string& name, const std::string& what,
                 const std::optional<Proof>& proof = {});
    // Fails whatever the tables say: the recording itself is not as it should be.
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
    // Only some of the cases are read: rows that nothing needs are not a failure, but for those of
    // cases whose names begin so.
    void readsSome() { m_readsAll = false; }
    void readsOnly(std::string prefix) { m_prefix = std::move(prefix); }
    void finish();
    // Returns the reasons for which finish() fails; for the tests of the harness itself.
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
    std::string m_prefix; // of the cases that are read
    Counts m_before;      // of the parts that ended
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
