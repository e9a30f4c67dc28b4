// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/loop_folding.h"
#include "graph_model/scopes/prepared_scope.h"

#include <vector>

namespace lapidary {

// Finds the nodes that have no box of their own, on the whole graph.
//   - a constant or variable with one reader is drawn on that reader's box, and so are the
//     Identity, Cast, ReadVariableOp... between them, up to four nodes in a tree;
//   - a constant of at most 16 elements with at most 8 readers is drawn on the box of each;
//   - a variable with at most 32 readers is drawn on the box of each;
//   - what is computed from sizes of tensors and constants alone is drawn on the box that reads it,
//     if that is one; with no larger constants, on those of at most 8 readers; and so is what is
//     computed from whole numbers that are fed, where it serves as a size and nothing else;
//   - what only carries values round a loop is drawn on the box of the value: see LoopFolds;
//   - where the parts of a graph are told apart, only readers of a node's own part count as long
//     as it has one: a weight is drawn on its layer, though it is saved and trained as well;
//   - a node that the user hid is shown nowhere, and neither is anything folded into it.
struct Folding {
    static constexpr std::uint32_t none = UINT32_MAX;

    // For each node the node whose box shows it: itself, or the node it is folded into (the first
    // of several); invalid if the user hid it.
    std::vector<NodeId> host;
    std::vector<bool> isShared; // for each node: drawn on several boxes at once
    std::vector<bool> isSize; // for each node: folded since it only depends on sizes and constants
    // for each node, the nodes folded into it, by input slot
    std::vector<std::vector<NodeId>> chips;
    std::vector<std::uint32_t> hiddenIndex; // for each node: into `hidden`, or none
    std::vector<HiddenNode> hidden;
    std::vector<bool> isCarrier; // for each node: see LoopFolds; empty if there are no loops
    std::unordered_map<NodeId, NodeId> way;
    LoopPorts ports;

    // Returns the box at the source of an edge.
    NodeId sourceBox(NodeId source, NodeId reader) const
    {
        if (!isCarrier.empty() && isCarrier[source.value] && host[source.value] != source)
            if (const auto at = way.find(reader); at != way.end())
                return host[at->second.value];
        return isShared[source.value] ? host[reader.value] : host[source.value];
    }
};

// Without: for the tree of scopes, whose groups contain variables and sizes like other nodes: these
// are not folded, and the reasons and chips are left out.
enum class Rules : bool { Without, With };
// The divisions of a graph; null if it has none.
struct Divisions {
    const NodeParts* parts = nullptr;
    const LoopFrames* loops = nullptr;
    const Branches* branches = nullptr;
};
Result<Folding> foldNodes(const Graph& graph, const Divisions& divisions,
                          const PrepareOptions& options, const Job& job, Rules rules = Rules::With);

} // namespace lapidary
