// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/edit_colocation.h"

#include "graph_model/base/wire.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr std::string_view classAttr = "_class";
constexpr std::string_view prefix = "loc:@";

// Returns the node that replaced a removed one; invalid if there is none.
NodeId heirOf(NodeId old, std::string_view name, const EditResult& edit)
{
    if (const NodeId heir = edit.graph->find(name); heir.isValid())
        return heir;
    const auto removed = edit.lineage.removed.find(old);
    const bool isOne =
        removed != edit.lineage.removed.end() && removed->second.successors.size() == 1;
    return isOne ? removed->second.successors.front() : NodeId();
}

// Returns the new entry of a node of the new graph; empty if it is to be removed.
std::string followed(const Graph& base, const EditResult& edit, const Node& node,
                     std::string_view entry)
{
    const bool isPlace = entry.starts_with(prefix);
    const NodeId old = isPlace ? base.find(entry.substr(prefix.size())) : NodeId();
    if (!old.isValid())
        return std::string(entry);
    if (const NodeId kept = edit.lineage.successor[old.value]; kept.isValid())
        return std::string(prefix).append(edit.graph->node(kept).name());
    const NodeId heir = heirOf(old, entry.substr(prefix.size()), edit);
    if (!heir.isValid() || edit.graph->node(heir).name() == node.name())
        return "";
    return std::string(prefix).append(edit.graph->node(heir).name());
}

std::string encodedStrings(const std::vector<std::string>& values)
{
    std::string list;
    for (const std::string& value : values)
        WireWriter(list).bytes(2, value);
    std::string encoded;
    WireWriter(encoded).bytes(1, list);
    return encoded;
}

// The node with its colocations following; null if they do already.
NodePtr withColocations(const Graph& base, const EditResult& edit, const Node& node)
{
    std::vector<std::string> now;
    bool isChanged = false;
    for (const std::string_view entry : node.attr(classAttr).strings()) {
        std::string next = followed(base, edit, node, entry);
        isChanged |= next != entry;
        if (!next.empty() && std::ranges::find(now, next) == now.end())
            now.push_back(std::move(next));
    }
    if (!isChanged)
        return nullptr;
    NodeDraft draft = NodeDraft::of(node);
    if (now.empty())
        draft.removeAttr(classAttr);
    else
        draft.setAttr(classAttr, encodedStrings(now));
    return draft.finish(node.isSynthetic());
}

} // namespace

GraphPtr withColocations(const Graph& base, const EditResult& edit)
{
    std::vector<std::pair<std::size_t, NodePtr>> changed;
    for (std::size_t i = 0; i < edit.graph->size(); ++i) {
        const Node& node = *edit.graph->nodes()[i];
        if (!node.hasAttr(classAttr))
            continue;
        if (NodePtr next = withColocations(base, edit, node))
            changed.emplace_back(i, std::move(next));
    }
    if (changed.empty())
        return edit.graph;
    Graph::Parts parts;
    parts.nodes.assign(edit.graph->nodes().begin(), edit.graph->nodes().end());
    for (auto& [at, node] : changed)
        parts.nodes[at] = std::move(node);
    parts.versions = edit.graph->versions();
    parts.functions = edit.graph->sharedFunctions();
    parts.unknownFields = edit.graph->unknownFields();
    parts.sameWiring = edit.graph;
    return Graph::make(std::move(parts));
}

} // namespace lapidary
