// SPDX-License-Identifier: Apache-2.0
#include "graph_model/explore/served_functions.h"

#include "graph_model/graph/function.h"
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t deepestChain = 16; // functions may call each other in a cycle

// Returns the node that computed a value which later nodes only pass on.
NodeId behindPassing(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 16;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const auto inputs = graph.inputs(id);
        const std::string_view op = graph.node(id).op();
        if ((!isPassThrough(op) && !isFunctionResult(op)) || inputs.empty())
            return id;
        id = inputs[0].node;
    }
    return id;
}

// Returns whether the op only carries values to and from a call.
bool carriesFromCall(std::string_view op)
{
    return isFedOp(op) || isFunctionResult(op) || isPassThrough(op) || isVariable(op) ||
           isVariableRead(op) || isConstant(op) || op == "NoOp";
}

// Returns whether all nodes that the results need, except the call, only carry values.
bool isAllThereIs(const Graph& graph, NodeId call, const std::vector<NodeId>& results)
{
    std::vector<bool> seen(graph.size(), false);
    std::vector<NodeId> open = results;
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (!id.isValid() || seen[id.value])
            continue;
        seen[id.value] = true;
        if (id != call && !carriesFromCall(graph.node(id).op()))
            return false;
        for (const Endpoint& input : graph.inputs(id))
            if (!input.isControl())
                open.push_back(input.node);
    }
    return true;
}

// Returns the function of the one call that computes all results; null if there is no such call.
FunctionPtr calledBy(const Graph& graph, const FunctionLibrary& library,
                     const std::vector<NodeId>& results)
{
    NodeId call;
    for (const NodeId result : results) {
        const NodeId source = behindPassing(graph, result);
        if (call.isValid() && source != call)
            return nullptr;
        call = source;
    }
    if (!call.isValid() || callKind(graph.node(call).op()) == CallKind::Loop ||
        callKind(graph.node(call).op()) == CallKind::Branch || !isAllThereIs(graph, call, results))
        return nullptr;
    const auto called = calledFunctions(graph, graph.node(call), library);
    return called.size() == 1 ? called.front() : nullptr;
}

std::vector<NodeId> resultsOf(const Graph& body)
{
    std::vector<NodeId> results;
    for (std::uint32_t i = 0; i < body.size(); ++i)
        if (isFunctionResult(body.node(NodeId{i}).op()))
            results.push_back(NodeId{i});
    return results;
}

} // namespace

std::vector<std::string> servedFunctions(const GraphEntry& entry)
{
    std::vector<std::string> names;
    if (entry.graph == nullptr || entry.graph->functions() == nullptr)
        return names;
    const FunctionLibrary& library = *entry.graph->functions();
    std::vector<NodeId> results;
    for (const ChosenTensor& tensor : likelyChoice(*entry.graph, guessInterface(entry)).outputs)
        results.push_back(tensor.node);
    for (GraphPtr graph = entry.graph; graph && !results.empty() && names.size() < deepestChain;) {
        const FunctionPtr function = calledBy(*graph, library, results);
        if (!function || !function->body)
            break;
        names.emplace_back(function->name);
        graph = function->body;
        results = resultsOf(*graph);
    }
    return names;
}

} // namespace lapidary
