// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/loop_folding.h"
#include "graph_model/scopes/prepared_scope.h"

#include <vector>

namespace lapidary {

// Finds the nodes that have no box of their own, on the whole graph.
// - A constant or variable with one reader is drawn on that reader's box, and so are the Identity,
//   Cast, ReadVariableOp... between them, up to four nodes in a tree.
// - A constant of at most 16 elements with at most 8 readers is drawn on the box of each.
// - A variable with at most 32 readers is drawn on the box of each.
// - A value that is computed only from sizes of tensors and constants is drawn on the box of its
//   only reader; without larger constants, on those of at most 8 readers. The same holds for values
//   that are computed from integers that are fed, if they are only used as sizes.
// - A node that only carries values round a loop is drawn on the box of the value: see LoopFolds.
// - If the parts of a graph are known, only readers in a node's own part count as long as it has
//   one: a weight is drawn on its layer, though it is saved and trained as well.
// - A node that the user hid is not shown, and neither is anything folded into it.
struct Folding {
    static constexpr std::uint32_t none = UINT32_MAX;

    // For each node, the node whose box shows it: itself, or the node it is folded into (the first
    // of several); invalid if the user hid it.
    std::vector<NodeId> host;
    std::vector<bool> isShared; // for each node: drawn on several boxes at once
    std::vector<bool> isSize; // for each node: folded since it only depends on sizes and constants
    // for each node, the nodes folded into it, by input slot
    std::vector<std::vector<NodeId>> chips;
    std::vector<std::uint32_t> hiddenIndex; // for each node, the index into `hidden`, or none
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

// Without: for the tree of scopes, whose groups contain variables and sizes like other nodes. These
// are not folded, and reasons and chips are left out.
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
