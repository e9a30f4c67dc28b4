// SPDX-License-Identifier: Apache-2.0
#include "app/document/value_targets.h"

#include "app/document/document.h"
#include "app/document/selected_nodes.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "views/models/display_text.h"

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::size_t mostTensors = 64;     // for one scope
constexpr std::uint32_t mostNodes = 20'000; // in one scope: all of them are searched at once

// Returns the node that computes a value: for a result of a function, the node that it reads.
NodeId computing(const Graph& graph, NodeId node)
{
    if (!isFunctionResult(graph.node(node).op()) || graph.inputs(node).empty())
        return node;
    const NodeId from = graph.inputs(node).front().node;
    return from.isValid() ? from : node;
}

SelectedTarget nodeTarget(const Document& document, NodeId selected)
{
    const Graph& graph = *document.graph();
    SelectedTarget target;
    target.name = plainText(graph.node(selected).name());
    const NodeId node = computing(graph, selected);
    if (isFunctionArgument(graph.node(node).op())) {
        target.obstacle =
            u"%1 is an argument of the function; run to the inputs of a call instead"_s.arg(
                plainText(graph.node(node).name()));
        return target;
    }
    target.what.tensors = outputTensors(graph, node);
    if (target.what.tensors.empty())
        target.obstacle = u"%1 has no outputs, so there is no value to show"_s.arg(target.name);
    return target;
}

SelectedTarget scopeTarget(const Document& document, GroupId group)
{
    const ScopeTree& tree = document.picture().view()->tree();
    SelectedTarget target;
    target.name = plainText(tree.group(group).path);
    if (const std::uint32_t count = tree.group(group).nodeCount; count > mostNodes) {
        target.obstacle = u"%1 holds %2; select a scope in it"_s.arg(
            target.name, counted(std::int64_t(count), u"node"_s));
        return target;
    }
    target.what.tensors = resultTensors(*document.graph(), selectedNodes(document));
    if (target.what.tensors.size() > mostTensors)
        target.what.tensors.resize(mostTensors);
    if (target.what.tensors.empty())
        target.obstacle =
            u"No node in %1 has an output, so there is no value to show"_s.arg(target.name);
    return target;
}

} // namespace

SelectedTarget selectedTarget(const Document& document)
{
    const GraphPtr& graph = document.graph();
    const ItemId item = document.selection().item();
    const bool isThere = document.file().model() != nullptr && graph != nullptr &&
                         document.picture().view() != nullptr &&
                         document.picture().view()->graph() == graph;
    if (!isThere || !item.isValid() || (item.isNode() && item.node().value >= graph->size()))
        return {.name = {}, .what = {}, .obstacle = u"Select a node or a scope"_s};
    SelectedTarget target =
        item.isNode() ? nodeTarget(document, item.node()) : scopeTarget(document, item.group());
    const GraphChoice& graphs = document.graphs();
    if (!graphs.isInFunction() || graphs.isInNetwork())
        return target;
    target.what.function = graphs.function();
    return target;
}

const GraphPtr& graphOf(const Document& document, const ValueTarget& target)
{
    return target.function.empty() ? document.graph() : document.graphs().entry().graph;
}

} // namespace lapidary
