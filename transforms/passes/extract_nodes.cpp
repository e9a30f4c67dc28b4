// SPDX-License-Identifier: Apache-2.0
// extract_nodes
//
// A tensor read from outside becomes a placeholder of the same name, with another one for each
// output that is read. Placeholders are extracted too, and constants with copies of them unless
// with_constants=false. Control edges from nodes left out are dropped. Not an original transform.
#include "graph_model/ops/op_traits.h"
#include "transforms/edits/placeholder_node.h"
#include "transforms/pass/chosen_nodes.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace lapidary {
namespace {

constexpr std::array parameters{
    nodeParameter,
    scopeParameter,
    ParameterSpec{.name = "with_constants",
                  .type = ParameterType::Bool,
                  .defaultText = "true",
                  .help = "also keep the constants that they read"},
};

// Returns the nodes to extract too: a placeholder, or a Const with any number of copies after it;
// empty if there are none.
std::vector<NodeId> sourceBehind(const Graph& graph, NodeId id, bool withConstants)
{
    if (graph.node(id).op() == "Placeholder")
        return {id};
    std::vector<NodeId> chain;
    if (!withConstants)
        return chain;
    while (id.isValid() && chain.size() <= graph.size()) {
        chain.push_back(id);
        const Node& node = graph.node(id);
        const auto inputs = graph.inputs(id);
        if (node.op() == "Const")
            return chain;
        if (!copiesInput(node.op()) || inputs.empty() || inputs[0].isControl())
            return {};
        id = inputs[0].node;
    }
    return {};
}

struct Part {
    std::vector<bool> stays;                           // one flag for each node
    std::set<std::pair<NodeId, std::int32_t>> outside; // outputs that are read from outside
};

Result<Part> partOf(const Graph& graph, const PassArgs& args)
{
    ASSIGN_OR_RETURN(const auto chosen, chosenNodes(graph, args.parameters, "extract_nodes"));
    ASSIGN_OR_RETURN(const auto withConstants, args.parameters.oneBool("with_constants", true));
    Part part{std::vector<bool>(graph.size(), false), {}};
    for (const NodeId id : chosen)
        part.stays[id.value] = true;
    for (const NodeId id : chosen)
        for (const Endpoint& from : graph.inputs(id)) {
            if (from.isControl() || !from.node.isValid() || part.stays[from.node.value])
                continue;
            const auto source = sourceBehind(graph, from.node, withConstants);
            for (const NodeId taken : source)
                part.stays[taken.value] = true;
            if (source.empty())
                part.outside.insert({from.node, from.port});
        }
    return part;
}

// Returns the names of the placeholders by the output that they replace: the node's own for the
// first output that is read, "node_1" for its output 1 and so on.
std::map<std::pair<NodeId, std::int32_t>, std::string> placeholderNames(const Graph& graph,
                                                                        const Part& part)
{
    std::map<std::pair<NodeId, std::int32_t>, std::string> names;
    std::set<std::string> taken;
    NodeId last;
    for (const auto& output : part.outside) {
        std::string name(graph.node(output.first).name());
        if (output.first == last)
            name += "_" + std::to_string(output.second);
        while (output.first == last && (graph.find(name).isValid() || taken.contains(name)))
            name += "_";
        last = output.first;
        taken.insert(name);
        names[output] = name;
    }
    return names;
}

bool readsOutside(const Graph& graph, NodeId id, const Part& part)
{
    return std::ranges::any_of(graph.inputs(id), [&](const Endpoint& from) {
        return from.node.isValid() && !part.stays[from.node.value];
    });
}

NodeDraft rewired(const Graph& graph, NodeId id, const Part& part,
                  const std::map<std::pair<NodeId, std::int32_t>, std::string>& names)
{
    NodeDraft draft = NodeDraft::of(graph.node(id));
    std::vector<std::string> inputs;
    const auto ends = graph.inputs(id);
    for (std::size_t slot = 0; slot < ends.size(); ++slot) {
        const auto name = names.find({ends[slot].node, ends[slot].port});
        const bool isInside = !ends[slot].node.isValid() || part.stays[ends[slot].node.value];
        if (isInside)
            inputs.push_back(draft.inputs[slot]);
        else if (name != names.end())
            inputs.push_back(name->second);
    }
    draft.inputs = std::move(inputs);
    return draft;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    ASSIGN_OR_RETURN(const auto part, partOf(*graph, args));
    Findings findings;
    for (std::uint32_t i = 0; i < graph->size(); ++i)
        if (!part.stays[i])
            findings.push_back({{NodeId{i}}, ""});
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto part = partOf(*graph, args);
    RETURN_IF_ERROR(part);
    const auto names = placeholderNames(*graph, *part);
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (!part->stays[i]) {
            edit.countPlaces(1);
            edit.remove(NodeId{i}, "not in the part that was extracted");
        } else if (readsOutside(*graph, NodeId{i}, *part)) {
            edit.replace(NodeId{i}, rewired(*graph, NodeId{i}, *part, names));
        }
    }
    for (const auto& [output, name] : names) {
        auto draft = placeholderFor(name, dtypeOfOutput(*graph, output.first, output.second), {});
        if (!draft)
            return Error{draft.error().code,
                         name + ": the dtype that is read from it is unknown; extract it too, or "
                                "replace it by a placeholder first"};
        edit.addAt(output.first, *std::move(draft), {output.first});
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::extractNodes{
    .name = "extract_nodes",
    .summary = "Extracts nodes or a scope as a separate graph.",
    .before = "a = Conv2D(x, w)\n"
              "b = Relu(a)\n"
              "c = MaxPool(b)",
    .after = "a = Placeholder()\n"
             "b = Relu(a), with name=b",
    .declines = "Placeholders and constants that are read stay unchanged, and control edges from "
                "other nodes are dropped. An unknown dtype is an error.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
