// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"
#include "runner/profile/node_profile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lapidary {

// Adds numbers from a file. Wraps, because signed overflow would be undefined.
inline std::int64_t wrappedSum(std::int64_t a, std::int64_t b)
{
    return std::int64_t(std::uint64_t(a) + std::uint64_t(b));
}

// The measurements of a node, or of all nodes of a group: exact sums of whole numbers.
struct ProfileSum {
    std::int64_t nanoseconds = 0; // over all runs
    std::uint64_t bytes = 0;      // per run
    std::int64_t flops = 0;       // operations of the nodes that have a count
    std::int64_t nodes = 0;       // number of nodes that were measured

    ProfileSum& operator+=(const ProfileSum& other);
    bool operator==(const ProfileSum&) const = default;
};

// A profile matched to one graph: its rows belong to nodes by name and are summed by group.
class ProfileSums {
public:
    // `function`: the function whose body `graph` is; empty for the graph itself.
    static Result<std::shared_ptr<const ProfileSums>>
    make(NodeProfilePtr profile, const Graph& graph, const ScopeTreePtr& tree,
         std::string_view function, const Job& job);

    const NodeProfile& profile() const { return *m_profile; }
    const ScopeTree& tree() const { return *m_tree; }
    // Returns the row of a node; nothing if it was not measured.
    std::optional<std::size_t> rowOf(NodeId id) const;
    NodeId nodeOf(std::size_t row) const { return m_nodeOfRow[row]; } // invalid if it matches none
    // Zero for nodes and groups that were not measured.
    ProfileSum of(ItemId item) const;
    const ProfileSum& all() const { return m_all; } // sum of all rows, matched or not
    std::size_t unmatched() const { return m_unmatched; }
    // Returns for each slice of the profile whether it is on the critical path (critical_path.h).
    const std::vector<bool>& critical() const { return m_critical; }

private:
    ProfileSums() = default;

    NodeProfilePtr m_profile;
    ScopeTreePtr m_tree;
    std::vector<NodeId> m_nodeOfRow;
    std::vector<std::uint32_t> m_rowOfNode; // UINT32_MAX: none
    std::vector<ProfileSum> m_ofGroup;
    ProfileSum m_all;
    std::size_t m_unmatched = 0;
    std::vector<bool> m_critical;
};
using ProfileSumsPtr = std::shared_ptr<const ProfileSums>;

} // namespace lapidary
