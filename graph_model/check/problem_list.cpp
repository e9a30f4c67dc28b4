// SPDX-License-Identifier: Apache-2.0
#include "graph_model/check/problem_list.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr std::size_t maxOfKind = 10000;
constexpr std::size_t maxBytes = std::size_t(64) << 20;

} // namespace

void ProblemList::add(std::string_view kind, Severity severity, std::string node,
                      std::string message)
{
    const auto at = m_counts.try_emplace(std::string(kind)).first;
    Count& count = at->second;
    // The first problem of a kind is always listed.
    if (count.listed > 0 && (count.listed >= maxOfKind || m_bytes >= maxBytes)) {
        ++count.dropped;
        count.worst = std::max(count.worst, severity);
        return;
    }
    ++count.listed;
    m_bytes += node.size() + message.size();
    Problem problem;
    problem.kind = kind;
    problem.severity = severity;
    problem.node = std::move(node);
    problem.message = std::move(message);
    m_problems.push_back(std::move(problem));
}

Problems ProblemList::take() &&
{
    for (const auto& [kind, count] : m_counts) {
        if (count.dropped == 0)
            continue;
        Problem problem;
        problem.kind = kind;
        problem.severity = count.worst;
        problem.message = "There are " + std::to_string(count.dropped) +
                          " more problems of this kind, which are not listed";
        m_problems.push_back(std::move(problem));
    }
    return std::move(m_problems);
}

} // namespace lapidary
