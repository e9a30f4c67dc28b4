// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/critical_path.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

class PathSearch {
public:
    PathSearch(const ProfileSums& sums, const Graph& graph)
        : m_sums(sums)
        , m_graph(graph)
        , m_slices(sums.profile().slices)
        , m_ofRow(sums.profile().nodes.size())
    {
        for (std::size_t i = 0; i < m_slices.size(); ++i)
            m_ofRow[m_slices[i].row].push_back(i);
    }

    std::vector<bool> run() const
    {
        std::vector<bool> isCritical(m_slices.size(), false);
        const auto last = std::ranges::max_element(m_slices, {}, &ProfiledSlice::end);
        std::optional<std::size_t> at;
        if (last != m_slices.end())
            at = std::size_t(last - m_slices.begin());
        while (at && !isCritical[*at]) {
            isCritical[*at] = true;
            at = before(m_slices[*at]);
        }
        return isCritical;
    }

private:
    // Returns the slice of the input that a slice waited for last.
    std::optional<std::size_t> before(const ProfiledSlice& slice) const
    {
        std::optional<std::size_t> latest;
        const NodeId node = m_sums.nodeOf(slice.row);
        if (!node.isValid())
            return latest;
        for (const Endpoint& from : m_graph.inputs(node)) {
            const auto row = from.node.isValid() ? m_sums.rowOf(from.node) : std::nullopt;
            if (!row)
                continue;
            const auto ended = lastBefore(m_ofRow[*row], slice.startNanoseconds);
            if (ended && (!latest || m_slices[*ended].end() > m_slices[*latest].end()))
                latest = ended;
        }
        return latest;
    }

    // Returns the last slice that began at `time` or before. It may seem to end later, because
    // clocks of traces are coarse.
    std::optional<std::size_t> lastBefore(const std::vector<std::size_t>& slices,
                                          std::int64_t time) const
    {
        const auto beyond = std::ranges::upper_bound(
            slices, time, {}, [&](std::size_t i) { return m_slices[i].startNanoseconds; });
        return beyond == slices.begin() ? std::nullopt : std::optional(*std::prev(beyond));
    }

    const ProfileSums& m_sums;
    const Graph& m_graph;
    const std::vector<ProfiledSlice>& m_slices;
    std::vector<std::vector<std::size_t>> m_ofRow; // slices by row, sorted by their start
};

} // namespace

std::vector<bool> criticalSlices(const ProfileSums& sums, const Graph& graph)
{
    return PathSearch(sums, graph).run();
}

} // namespace lapidary
