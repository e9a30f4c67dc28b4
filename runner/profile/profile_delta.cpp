// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/profile_delta.h"

#include "runner/profile/profile_sums.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

namespace lapidary {
namespace {

// The resolution of a clock, and the difference of two series of runs of one graph on a quiet
// machine.
constexpr double clockNanoseconds = 1000;
constexpr double quietShare = 0.05;

std::int64_t wrappedProduct(std::int64_t a, std::int64_t b)
{
    return std::int64_t(std::uint64_t(a) * std::uint64_t(b));
}

double runsOf(const NodeProfile& profile)
{
    return double(std::max<std::int64_t>(profile.runs, 1));
}

// The nanoseconds of the fastest and the slowest run. Without separate runs both are the
// mean.
struct TimeSpan {
    double least = 0;
    double most = 0;
};

TimeSpan spanOf(const NodeProfile& profile, const std::vector<std::uint32_t>& rows, double mean)
{
    TimeSpan span;
    for (const std::uint32_t row : rows) {
        const ProfiledNode& node = profile.nodes[row];
        if (!node.least || !node.most)
            return {mean, mean};
        span.least += double(*node.least);
        span.most += double(*node.most);
    }
    return span;
}

// Finds the nodes that are joined by pairs, directly or through others.
class JoinedNodes {
public:
    explicit JoinedNodes(std::size_t count)
        : m_parent(count)
    {
        std::iota(m_parent.begin(), m_parent.end(), std::size_t(0));
    }
    std::size_t rootOf(std::size_t at)
    {
        while (m_parent[at] != at) {
            m_parent[at] = m_parent[m_parent[at]];
            at = m_parent[at];
        }
        return at;
    }
    void join(std::size_t a, std::size_t b)
    {
        const std::size_t first = rootOf(a);
        const std::size_t second = rootOf(b);
        m_parent[std::max(first, second)] = std::min(first, second);
    }

private:
    std::vector<std::size_t> m_parent;
};

} // namespace

ProfileDeltaPtr ProfileDelta::make(NodeProfilePtr before, NodeProfilePtr after,
                                   const std::vector<RowPair>& pairs)
{
    const auto delta = std::shared_ptr<ProfileDelta>(new ProfileDelta);
    delta->m_before = std::move(before);
    delta->m_after = std::move(after);
    const std::size_t first = delta->m_before->nodes.size();
    const std::size_t all = first + delta->m_after->nodes.size();
    JoinedNodes joined(all);
    for (const auto& [a, b] : pairs)
        if (a < first && first + b < all)
            joined.join(a, first + b);
    std::map<std::size_t, std::size_t> rowOfRoot;
    std::vector<DeltaRow>& rows = delta->m_rows;
    for (std::size_t i = 0; i < all; ++i) {
        const auto [at, isNew] = rowOfRoot.try_emplace(joined.rootOf(i), rows.size());
        if (isNew)
            rows.emplace_back();
        DeltaRow& row = rows[at->second];
        (i < first ? row.before : row.after).push_back(std::uint32_t(i < first ? i : i - first));
    }
    for (DeltaRow& row : rows) {
        delta->addTimes(row);
        row.kind = delta->kindOf(row);
    }
    rows.push_back({.nanosecondsBefore = delta->m_before->outsideNanoseconds,
                    .nanosecondsAfter = delta->m_after->outsideNanoseconds});
    return delta;
}

void ProfileDelta::addTimes(DeltaRow& row) const
{
    for (const std::uint32_t at : row.before)
        row.nanosecondsBefore = wrappedSum(row.nanosecondsBefore, m_before->nodes[at].nanoseconds);
    for (const std::uint32_t at : row.after)
        row.nanosecondsAfter = wrappedSum(row.nanosecondsAfter, m_after->nodes[at].nanoseconds);
}

DeltaKind ProfileDelta::kindOf(const DeltaRow& row) const
{
    if (row.before.empty())
        return DeltaKind::New;
    if (row.after.empty())
        return DeltaKind::Gone;
    const double meanBefore = timeBefore(row);
    const double meanAfter = timeAfter(row);
    const TimeSpan before = spanOf(*m_before, row.before, meanBefore);
    const TimeSpan after = spanOf(*m_after, row.after, meanAfter);
    const double margin = clockNanoseconds + quietShare * std::max(meanBefore, meanAfter);
    if (after.least > before.most + margin)
        return DeltaKind::Slower;
    return after.most + margin < before.least ? DeltaKind::Faster : DeltaKind::Noise;
}

std::int64_t ProfileDelta::nanosecondsBefore() const
{
    return std::accumulate(m_rows.begin(), m_rows.end(), std::int64_t(0),
                           [](std::int64_t sum, const DeltaRow& row) {
                               return wrappedSum(sum, row.nanosecondsBefore);
                           });
}

std::int64_t ProfileDelta::nanosecondsAfter() const
{
    return std::accumulate(m_rows.begin(), m_rows.end(), std::int64_t(0),
                           [](std::int64_t sum, const DeltaRow& row) {
                               return wrappedSum(sum, row.nanosecondsAfter);
                           });
}

std::int64_t ProfileDelta::scaledDifference(const DeltaRow& row) const
{
    const std::int64_t after = wrappedProduct(row.nanosecondsAfter, m_before->runs);
    const std::int64_t before = wrappedProduct(row.nanosecondsBefore, m_after->runs);
    return std::int64_t(std::uint64_t(after) - std::uint64_t(before));
}

double ProfileDelta::difference(const DeltaRow& row) const
{
    return timeAfter(row) - timeBefore(row);
}

double ProfileDelta::timeBefore(const DeltaRow& row) const
{
    return double(row.nanosecondsBefore) / runsOf(*m_before);
}

double ProfileDelta::timeAfter(const DeltaRow& row) const
{
    return double(row.nanosecondsAfter) / runsOf(*m_after);
}

std::vector<ProfileDelta::RowPair> pairsByName(const NodeProfile& before, const NodeProfile& after)
{
    std::map<std::string_view, std::uint32_t> rows;
    for (std::size_t i = 0; i < before.nodes.size(); ++i)
        rows.emplace(before.nodes[i].name, std::uint32_t(i));
    std::vector<ProfileDelta::RowPair> pairs;
    for (std::size_t i = 0; i < after.nodes.size(); ++i)
        if (const auto row = rows.find(after.nodes[i].name); row != rows.end())
            pairs.emplace_back(row->second, std::uint32_t(i));
    return pairs;
}

} // namespace lapidary
