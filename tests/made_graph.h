// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/graph/node.h"

#include <string>
#include <utility>
#include <vector>

namespace lapidary {

using Attrs = std::vector<std::pair<std::string, std::string>>;

// Makes a node with these inputs and encoded attributes, and a graph of such nodes.
inline NodePtr node(std::string name, std::string op, std::vector<std::string> inputs = {},
                    Attrs attrs = {})
{
    NodeDraft draft;
    draft.name = std::move(name);
    draft.op = std::move(op);
    draft.inputs = std::move(inputs);
    draft.attrs.assign(attrs.begin(), attrs.end());
    return draft.finish();
}

inline GraphPtr make(std::vector<NodePtr> nodes, std::int32_t producer = 27)
{
    Graph::Parts parts;
    parts.nodes = std::move(nodes);
    parts.versions.producer = producer;
    return Graph::make(std::move(parts));
}

} // namespace lapidary
