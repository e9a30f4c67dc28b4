// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// The hierarchy while it is being built. Group 0 is the root. Groups may be in any order and their
// children unsorted; only parents, names, paths, kinds, reasons and repeats are set.
struct ScopeDraft {
    const Graph* graph = nullptr;
    std::vector<Group> groups;
    std::vector<GroupId> parentOfNode;
    const LoopFrames* loops = nullptr;  // null: none
    const Branches* branches = nullptr; // null: none
    std::vector<NodeId>
        raised; // sorted; the inputs and outputs of the model at the root and in its series
    std::vector<NodeId> ports;                             // sorted; nodes on the frames of loops
    std::vector<std::pair<std::string, NodeId>> dissolved; // path of a scope, a node inside

    GroupId parentOf(ItemId item) const
    {
        return item.isNode() ? parentOfNode[item.index] : groups[item.index].parent;
    }
    GroupId addGroup(GroupId parent, GroupKind kind, std::string name, std::string path);
    // Moves `items`, children of group `from`, into `to`. The caller must remove them from `from`.
    void adopt(GroupId to, const std::vector<ItemId>& items);
};

// One edge of the graph, in the lowest group that contains both nodes.
struct LevelEdge {
    ItemId from; // child of the group that contains the source
    ItemId to;   // child of the group that contains the reader
    NodeId source;
    NodeId reader;
    std::uint32_t slot = 0;
    std::int32_t port = 0;
};

// All edges of the graph, in one bucket for each group. Depths must be set. O(edges * depth).
struct LevelEdges {
    std::vector<LevelEdge> edges;
    std::vector<std::uint32_t> start; // groups + 1 entries
};
LevelEdges levelEdges(const ScopeDraft& draft);

// Makes scopes by name. Empty path components are skipped, a node named like a scope belongs to it,
// and chains of scopes with one child each are one group named "unit_1/bottleneck_v1". Each part
// besides the network has its own scopes, unless the user dissolved it. O(name bytes); components
// deeper than 200 stay part of the node's own name.
Status addNameScopes(ScopeDraft& draft, const ScopeOptions& options, const Job& job);

// Dissolves every scope that would show one box or none when it is open: its nodes move to the
// scope around it, and a group that is alone inside it takes both names. Needs children after their
// parents; orderGroups is needed afterwards. `isFolded`: for each node, whether it has no box of
// its own.
void dissolveSingleScopes(ScopeDraft& draft, const std::vector<bool>& isFolded);

// Returns the part of a node's name that its scope does not contain: "conv1/Conv2D" in "conv1" is
// "Conv2D".
std::string_view leafName(std::string_view nodeName);

// Sorts children in file order and groups in preorder, and sets their depths.
Status orderGroups(ScopeDraft& draft, const Job& job);

// Sets nodeCount, ops and weights of every group; needs orderGroups. A weight counts in the group
// of the node that shows it (`host`, for each node), and only in the network if `parts` is not
// null.
Status countGroups(ScopeDraft& draft, const std::vector<NodeId>& host, const NodeParts* parts,
                   const Job& job);

// Sets Group::structure of every group; children must come after their parents.
Status hashGroups(ScopeDraft& draft, const LevelEdges& edges, const Job& job);

// Makes series of numbered siblings and repeats of equal ones; needs hashGroups. Returns true if
// there are new groups: then orderGroups is needed. `isFolded`: for each node, whether it has no
// box of its own.
Result<bool> addSeriesGroups(ScopeDraft& draft, const ScopeOptions& options,
                             const LevelEdges& edges, const std::vector<bool>& isFolded,
                             const Job& job);

// Makes one group of equal copies that read the same tensors; needs hashGroups. Returns true if
// there are new groups: then orderGroups is needed.
Result<bool> addCopyGroups(ScopeDraft& draft, const ScopeOptions& options, const LevelEdges& edges,
                           const std::vector<bool>& isFolded, const Job& job);

// Makes groups by wiring in scopes that show too many children; needs hashGroups and depths.
// Returns true if there are new groups.
Result<bool> addStructureGroups(ScopeDraft& draft, const ScopeOptions& options,
                                const std::vector<bool>& isFolded, const Job& job);

// Returns the declared shape of a Const's tensor or of a variable.
std::optional<Shape> declaredShape(const Node& node);
// Returns the number of elements of a Const's tensor or of a variable, from the declared shape
// alone; 0 if unknown.
std::int64_t weightElements(const Node& node);
// Returns whether the type of a Const or variable allows a weight: no index, text or bool.
bool hasWeightType(const Node& node);

} // namespace lapidary
