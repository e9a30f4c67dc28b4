// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "graph_model/interface/node_parts.h"
#include "graph_model/scopes/branch_frames.h"
#include "graph_model/scopes/loop_frames.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

struct GroupId {
    std::uint32_t value = UINT32_MAX;

    bool isValid() const { return value != UINT32_MAX; }
    auto operator<=>(const GroupId&) const = default;
};
inline constexpr GroupId rootGroup{0};

// One box of the picture: a node, or a group of nodes.
struct ItemId {
    enum class Kind : std::uint8_t { Node, Group };
    Kind kind = Kind::Node;
    std::uint32_t index = UINT32_MAX;

    static ItemId of(NodeId id) { return {Kind::Node, id.value}; }
    static ItemId of(GroupId id) { return {Kind::Group, id.value}; }
    bool isNode() const { return kind == Kind::Node; }
    NodeId node() const { return {index}; }
    GroupId group() const { return {index}; }
    bool isValid() const { return index != UINT32_MAX; }
    auto operator<=>(const ItemId&) const = default;
};

enum class GroupKind : std::uint8_t {
    Root,
    Scope,   // a name prefix: "resnet/block1/"
    Series,  // unit_1..unit_9: siblings of equal kind, numbered (reason says the rule)
    Repeat,  // neighbors of equal structure, "x16"
    Block,   // found by wiring alone (structure without names)
    Section, // a part of an oversized scope, cut only by position
    Chain,   // a straight run of ops: "12 ops"
    Part,    // nodes with one purpose besides the network: "gradients"
};

struct Group {
    std::string name;   // last path component: "block1", "Block A", "unit 1…9"
    std::string path;   // unique, stable across runs: "resnet/block1", "resnet/#block-2"
    std::string reason; // the rule that made it, one sentence; empty for a name scope
    GroupId parent;
    GroupKind kind = GroupKind::Scope;
    std::uint16_t depth = 0;
    std::uint32_t loop = DrawnLoop::none; // index in ScopeTree::loops() if the group is a loop
    std::string says;                     // of a conditional: "if is_training"; else empty
    std::vector<ItemId> children;         // in file order of their first node
    std::uint32_t nodeCount = 0;          // all descendants
    std::int64_t weights = 0;             // elements of Const and variables inside
    std::uint64_t structure = 0; // equal for groups of equal content and wiring; 0: unknown
    std::uint32_t repeats = 1;   // number of members of a Series or Repeat
    std::vector<std::pair<std::string_view, std::uint32_t>>
        ops; // op -> count, most first, no Const
};

struct ScopeOptions {
    bool series = true;                 // group numbered siblings
    bool structure = true;              // group flat or oversized scopes by wiring
    std::uint32_t maxChildren = 60;     // the limit of children of a group if `structure` is on
    std::vector<std::string> ungrouped; // paths of found groups that the user dissolved
    // Each part except the network is a group of its own at the root, with its scopes inside; null:
    // the graph is not divided.
    NodePartsPtr parts = nullptr;
    // The inputs and outputs of the model, sorted. If no other node of their part reads them or
    // they read nothing, they are at the root regardless of their names, and series of them are one
    // group there, unless there are too many to be seen at once.
    std::vector<NodeId> raised = {};
};

// The hierarchy of one graph: names and loops first, then series, then structure without names.
// Every node of the graph is in exactly one group. IDs of groups are stable within one tree.
// O(nodes + name bytes), plus the search for structure if needed.
class ScopeTree {
public:
    const Group& group(GroupId id) const { return m_groups[id.value]; }
    std::size_t size() const { return m_groups.size(); }
    GroupId parentOf(NodeId id) const { return m_parentOfNode[id.value]; }
    GroupId parentOf(ItemId item) const
    {
        return item.isNode() ? parentOf(item.node()) : group(item.group()).parent;
    }
    GroupId find(std::string_view path) const; // invalid if there is none
    // Returns the child of `ancestor` that contains `item` or is it.
    ItemId childOf(GroupId ancestor, ItemId item) const;
    GroupId lowestCommon(ItemId a, ItemId b) const;
    // The parts that the tree divides the graph into; null if it does not.
    const NodeParts* parts() const { return m_parts.get(); }
    const LoopFrames* loops() const { return m_loops.get(); }     // null: there are none
    const Branches* branches() const { return m_branches.get(); } // null: there are none
    bool isPart(ItemId item) const
    {
        return !item.isNode() && group(item.group()).kind == GroupKind::Part;
    }

private:
    friend class ScopeTreeBuilder;
    GraphPtr m_graph; // the op names in Group::ops are views into it
    std::vector<Group> m_groups;
    std::vector<GroupId> m_parentOfNode;
    std::unordered_map<std::string, GroupId> m_byPath;
    NodePartsPtr m_parts;
    LoopFramesPtr m_loops;
    BranchesPtr m_branches;
};
using ScopeTreePtr = std::shared_ptr<const ScopeTree>;

Result<ScopeTreePtr> buildScopeTree(const GraphPtr& graph, const ScopeOptions& options,
                                    const Job& job);

} // namespace lapidary

template <>
struct std::hash<lapidary::ItemId> {
    std::size_t operator()(const lapidary::ItemId& id) const noexcept
    {
        return (std::size_t(id.kind) << 32) ^ id.index;
    }
};
template <>
struct std::hash<lapidary::GroupId> {
    std::size_t operator()(lapidary::GroupId id) const noexcept { return id.value; }
};
