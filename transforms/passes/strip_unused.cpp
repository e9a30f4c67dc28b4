// SPDX-License-Identifier: Apache-2.0
// strip_unused
//
// TensorFlow's Python tool of that name. Unlike strip_unused_nodes it makes each input a
// Placeholder, whatever its op, and keeps nodes with which others are colocated.
#include "transforms/inference/strip_graph.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{stripTypeParameter};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto request, stripRequestOf(args));
    return stripGraph(graph, request, job);
}

// Finds the nodes to remove, and the inputs that become placeholders.
Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto edit, run(graph, args, job));
    Findings findings;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const NodeId now = edit.lineage.successor[i];
        if (!now.isValid() || edit.graph->nodes()[now.value] != graph->nodes()[i])
            findings.push_back({{NodeId{i}}, ""});
    }
    return findings;
}

} // namespace

const Pass passes::stripUnused{
    .name = "strip_unused",
    .summary = "Turns the inputs into placeholders and keeps only the nodes that the outputs need.",
    .before = "x = Decode(file)\n"
              "y = Net(x)\n"
              "loss = Loss(y)",
    .after = "x = Placeholder()\n"
             "y = Net(x), with input x and output y",
    .declines = "Nodes that others are colocated with (_class).",
    .differences = "TensorFlow has no such transform, but a Python tool of that name. An input "
                   "keeps its own type if none is given; the tool makes it float.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
