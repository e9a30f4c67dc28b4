// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

// Returns the same graph in which a node also waits for another one.
inline GraphPtr waiting(const GraphPtr& graph, std::string_view node, std::string_view forNode)
{
    GraphEdit edit(graph);
    NodeDraft draft = NodeDraft::of(nodeOf(graph, node));
    draft.inputs.push_back("^" + std::string(forNode));
    edit.replace(graph->find(node), std::move(draft));
    return std::move(edit).finish().value().graph;
}

// Returns the same graph with other attributes at a node.
inline GraphPtr changed(const GraphPtr& graph, std::string_view node, const TestAttrs& attrs)
{
    GraphEdit edit(graph);
    NodeDraft draft = NodeDraft::of(nodeOf(graph, node));
    for (const auto& [name, value] : attrs)
        draft.setAttr(name, value);
    edit.replace(graph->find(node), std::move(draft));
    return std::move(edit).finish().value().graph;
}

} // namespace lapidary
