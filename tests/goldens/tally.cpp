// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/tally.h"

#include "tests/catch.h"
#include "tests/goldens/recordings.h"

#include <algorithm>
#include <iostream>

namespace lapidary::goldens {

Tally::Tally(std::string folder)
    : m_folder(std::move(folder))
    , m_differences("differences.tsv", m_folder)
    , m_unproven("unproven.tsv", m_folder)
    , m_equal("equal.tsv", m_folder)
    , m_readsAll(!isSelection())
{
}

void Tally::held(const std::string& name, const std::string& fault)
{
    if (m_differences.names(name)) {
        m_differences.use(name);
        m_failed.push_back(name + ": holds, but differences.tsv says that it differs");
    } else if (fault.empty() || m_equal.names(name)) {
        ++m_held;
        if (!fault.empty())
            m_equal.use(name);
    } else {
        m_failed.push_back(name + ": equal, but the recording " + fault +
                           "; equal.tsv has to say why equal is right");
    }
}

void Tally::differs(const std::string& name, const std::string& what,
                    const std::optional<Proof>& proof)
{
    const bool isNamed = m_differences.names(name);
    if (!isNamed && !m_differences.isOfKind(name)) {
        m_failed.push_back(name + ": " + what + (proof ? "; " + proof->text : ""));
        return;
    }
    isNamed ? m_differences.use(name) : m_differences.useKind(name);
    if (!proof || proof->isProven) {
        ++(proof ? m_proven : m_unprovenCases);
        return;
    }
    if (!m_unproven.names(name)) {
        m_failed.push_back(name + ": differs on purpose, but its numbers are not proven (" +
                           proof->text + "), and unproven.tsv does not say why: " + what);
        return;
    }
    m_unproven.use(name);
    ++m_unprovenCases;
}

void Tally::skipped(const std::string&, const std::string& why)
{
    ++m_skipped;
    ++m_skippedFor[why];
}

std::vector<std::string> Tally::failures() const
{
    std::vector<std::string> failures = m_failed;
    if (m_held + m_proven + m_unprovenCases + m_skipped == 0 && m_failed.empty())
        failures.push_back("no case was read");
    if (!m_readsAll)
        return failures;
    for (const CaseTable* table : {&m_differences, &m_unproven, &m_equal})
        for (const std::string& row : table->unused())
            if (row.starts_with(m_prefix))
                failures.push_back(row + ": " + table->file() +
                                   " names it, but nothing needs that");
    return failures;
}

Tally::Counts Tally::counts() const
{
    return {m_held, m_proven, m_unprovenCases, m_skipped, m_failed.size()};
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
              << now.proven + now.unproven - m_before.proven - m_before.unproven
              << " differ on purpose, " << now.failed - m_before.failed << " failed, "
              << now.skipped - m_before.skipped << " skipped\n";
    if (now.held + now.proven + now.unproven + now.skipped + int(now.failed) ==
        m_before.held + m_before.proven + m_before.unproven + m_before.skipped +
            int(m_before.failed))
        m_failed.push_back(m_part + ": no case was read");
    m_part.clear();
}

void Tally::finish()
{
    endPart();
    const std::vector<std::string> failed = failures();
    const std::size_t cases =
        std::size_t(m_held + m_proven + m_unprovenCases + m_skipped) + m_failed.size();
    std::cout << m_folder << ": " << cases << " cases, " << m_held << " held, " << m_proven
              << " differ on purpose with their numbers proven, " << m_unprovenCases
              << " with a reason only, " << failed.size() << " failed, " << m_skipped
              << " skipped\n";
    for (std::string failure : failed) {
        std::ranges::replace(failure, '\n', ' ');
        std::cout << "  failed: " << failure << '\n';
    }
    for (const auto& [kind, number] : m_kinds)
        std::cout << "  " << kind << ": " << number << '\n';
    for (const auto& reason : m_skippedFor)
        std::cout << "  skipped " << reason.second << ": " << reason.first << '\n';
    CHECK(failed.empty());
}

} // namespace lapidary::goldens
