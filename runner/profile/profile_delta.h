// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/node_profile.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lapidary {

enum class DeltaKind {
    Noise, // the times of single runs overlap
    Slower,
    Faster,
    New,  // only measured after
    Gone, // only measured before
};

// Corresponding nodes of two profiles, as indices of ProfiledNodes. Times are whole nanoseconds of
// all runs of their profile, so that sums are exact.
struct DeltaRow {
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
    std::int64_t nanosecondsBefore = 0;
    std::int64_t nanosecondsAfter = 0;
    DeltaKind kind = DeltaKind::Noise;
};

// The difference between the times of two runs, node by node. Each node of either profile is in
// one row, and the last row is the time outside of nodes: the rows add up to the difference of the
// two runs.
class ProfileDelta {
public:
    using RowPair = std::pair<std::uint32_t, std::uint32_t>; // indices of nodes: before, after

    // `pairs`: the corresponding nodes. A node may be in several pairs, for example if a step
    // joined it with others.
    static std::shared_ptr<const ProfileDelta> make(NodeProfilePtr before, NodeProfilePtr after,
                                                    const std::vector<RowPair>& pairs);

    const NodeProfile& before() const { return *m_before; }
    const NodeProfile& after() const { return *m_after; }
    const std::vector<DeltaRow>& rows() const { return m_rows; }
    bool isOutside(std::size_t row) const { return row + 1 == m_rows.size(); } // outside of nodes
    // Sums over all rows.
    std::int64_t nanosecondsBefore() const;
    std::int64_t nanosecondsAfter() const;

    // Return by how many nanoseconds a run takes longer in this row. The first one is exact: it is
    // the numerator of a fraction with the denominator before().runs * after().runs.
    std::int64_t scaledDifference(const DeltaRow& row) const;
    double difference(const DeltaRow& row) const;
    // Return nanoseconds of one run, on average.
    double timeBefore(const DeltaRow& row) const;
    double timeAfter(const DeltaRow& row) const;

private:
    ProfileDelta() = default;
    void addTimes(DeltaRow& row) const;
    DeltaKind kindOf(const DeltaRow& row) const;

    NodeProfilePtr m_before;
    NodeProfilePtr m_after;
    std::vector<DeltaRow> m_rows;
};
using ProfileDeltaPtr = std::shared_ptr<const ProfileDelta>;

// Returns the pairs of nodes with the same name.
std::vector<ProfileDelta::RowPair> pairsByName(const NodeProfile& before, const NodeProfile& after);

} // namespace lapidary
