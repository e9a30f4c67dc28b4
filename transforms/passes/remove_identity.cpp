// SPDX-License-Identifier: Apache-2.0
// remove_identity
//
// Also removes StopGradient, PreventGradient and Snapshot, which return their input. Keeps those
// that are inputs or outputs of the model, that read a reference (they copy it), and that follow a
// Switch: the control edges of a branch start there. Not an original transform.
#include "graph_model/binding/node_signature.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns why a node that only copies has to stay; empty if it can be removed.
std::string fault(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    if (inputs.empty() || inputs[0].isControl() || !inputs[0].node.isValid())
        return "it has no input";
    const Node& from = graph.node(inputs[0].node);
    if (isSwitch(from.op()))
        return "a branch begins here";
    const OpSpec* op = findOp(from.op());
    if (op == nullptr || givesReference(from, *op, inputs[0].port))
        return op == nullptr ? "what it reads is not known" : "it copies a variable";
    for (const Consumer& consumer : graph.consumers(id))
        if (consumer.port > 0)
            return "a consumer reads an output that it does not have";
    return "";
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto kept = interfaceNodes(args);
    Findings findings;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const Node& node = graph->node(NodeId{i});
        if (!copiesInput(node.op()))
            continue;
        findings.push_back({{NodeId{i}},
                            kept.contains(node.name()) ? "it is an input or output of the model"
                                                       : fault(*graph, NodeId{i})});
    }
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto findings, find(graph, args, job));
    GraphEdit edit(graph);
    for (const Finding& finding : findings) {
        if (!finding.why.empty())
            continue;
        edit.countPlaces(1);
        edit.bypass(finding.nodes.front(), "it only copies");
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::removeIdentity{
    .name = "remove_identity",
    .summary = "Removes Identity nodes where nothing depends on their name or position.",
    .before = "i = Identity(x)\n"
              "y = Relu(i)",
    .after = "y = Relu(x)",
    .declines = "Identity nodes that are inputs or outputs of the model, that read a reference, or "
                "that follow a Switch, where the control edges of a branch begin.",
    .differences = notOriginal,
    .find = find,
    .run = run,
};

} // namespace lapidary
