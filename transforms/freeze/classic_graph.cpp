// SPDX-License-Identifier: Apache-2.0
#include "transforms/freeze/classic_graph.h"

#include "graph_model/graph/function.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/functions/expand_nodes.h"
#include "transforms/pass/edit_chain.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr Expander::Kinds everyKind{.calls = true, .branches = true, .loops = true};

bool callsFunctions(const Graph& graph, const std::vector<bool>& isKept)
{
    if (graph.functions() == nullptr)
        return false;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const std::string_view op = graph.node(NodeId{i}).op();
        if (isKept[i] && (callKind(op) != CallKind::None || graph.functions()->find(op)))
            return true;
    }
    return false;
}

Result<EditResult> cut(const GraphPtr& graph, const std::vector<bool>& isKept)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i)
        if (!isKept[i])
            edit.remove(NodeId{i}, "the outputs do not need it");
    return std::move(edit).finish();
}

// Returns whether a node computes the same values in every run, and has no other effect.
bool isPure(const Node& node)
{
    const OpSpec* op = findOp(node.op());
    return isConstant(node.op()) ||
           (op != nullptr && !op->isStateful && !op->inputs.empty() &&
            controlFlow(node.op()) == ControlFlow::None && callKind(node.op()) == CallKind::None &&
            !isPlaceholder(node.op()) && !changesVariable(node.op()));
}

} // namespace

Result<EditResult> classicPart(const GraphPtr& graph, const std::vector<NodeId>& outputs,
                               const std::vector<std::string>& interfaceNames, const Job& job)
{
    EditChain chain(graph);
    const std::vector<bool> isKept = keptNodes(*graph, {}, outputs);
    if (!callsFunctions(*graph, isKept))
        return std::move(chain).finish();
    ASSIGN_OR_RETURN(std::size_t changes, chain.apply(cut(graph, isKept)));
    PassArgs args;
    args.outputs = interfaceNames;
    // Inlined bodies may contain calls, which only one of the kinds replaces.
    do {
        ASSIGN_OR_RETURN(changes, chain.apply(expandNodes(chain.graph(), args, everyKind, job)));
    } while (changes > 0);
    return std::move(chain).finish();
}

std::string callThatStays(const GraphPtr& graph, const Job& job)
{
    if (graph->functions() == nullptr)
        return {};
    const auto findings = findExpansions(graph, everyKind, job);
    if (!findings || findings->empty())
        return {};
    const Finding& first = findings->front();
    return std::string(graph->node(first.nodes.front()).name()) + ": " + first.why;
}

std::vector<bool> computedOfConstants(const Graph& graph)
{
    std::vector<bool> isComputed(graph.size(), false);
    for (const NodeId id : topologicalOrder(graph))
        isComputed[id.value] = isPure(graph.node(id)) &&
                               std::ranges::all_of(graph.inputs(id), [&](const Endpoint& from) {
                                   return from.node.isValid() && isComputed[from.node.value];
                               });
    return isComputed;
}

Result<EditResult> withoutIdleWaits(const GraphPtr& graph)
{
    const std::vector<bool> isIdle = computedOfConstants(*graph);
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const auto inputs = graph->inputs(NodeId{i});
        const auto waitsIdly = [&](const Endpoint& from) {
            return from.isControl() && from.node.isValid() && isIdle[from.node.value];
        };
        if (std::ranges::none_of(inputs, waitsIdly))
            continue;
        NodeDraft draft = NodeDraft::of(graph->node(NodeId{i}));
        std::vector<std::string> kept;
        for (std::size_t k = 0; k < inputs.size(); ++k)
            if (!waitsIdly(inputs[k]))
                kept.push_back(std::move(draft.inputs[k]));
        draft.inputs = std::move(kept);
        edit.replace(NodeId{i}, std::move(draft));
    }
    return std::move(edit).finish();
}

} // namespace lapidary
