#pragma once

#include "graph_model/scopes/prepared_scope.h"

#include <vector>

namespace lapidary {

// Which nodes have no box of their own, decided on the whole graph.
//   - a constant or variable with one reader lies on that reader's box, and so do the Identity,
//   Cast,
//     ReadVariableOp... between them, up to four nodes in a tree;
//   - a constant of at most 16 elements with at most 8 readers lies on the box of each;
//   - what the user hid is shown nowhere, and nothing that is folded into it either.
struct Folding {
    static constexpr std::uint32_t none = UINT32_MAX;

    // For each node the node whose box shows it: itself, or what it is folded into (the first of
    // several); invalid if the user hid it.
    std::vector<NodeId> host;
    std::vector<bool> isShared;             // for each node: on several boxes at once
    std::vector<std::vector<NodeId>> chips; // for each node, what is folded into it, by input slot
    std::vector<std::uint32_t> hiddenIndex; // for each node: into `hidden`, or none
    std::vector<HiddenNode> hidden;

    // The box at the source end of an edge.
    NodeId sourceBox(NodeId source, NodeId reader) const
    {
        return isShared[source.value] ? host[reader.value] : host[source.value];
    }
};

enum class Rules : bool { Without, With }; // texts and chips, where only the decision is wanted
Result<Folding> foldNodes(const Graph& graph, const PrepareOptions& options, const Job& job,
                          Rules rules = Rules::With);

} // namespace lapidary
