// SPDX-License-Identifier: Apache-2.0
// replace_by_placeholder
//
// Nodes that only the replaced node needed are kept; remove_dead_nodes removes them. Not an
// original transform.
#include "transforms/edits/placeholder_node.h"
#include "transforms/pass/chosen_nodes.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    nodeParameter,
    ParameterSpec{.name = "type",
                  .type = ParameterType::Dtype,
                  .help = "dtype of the placeholder; default: that of the node"},
    ParameterSpec{.name = "shape",
                  .type = ParameterType::Shape,
                  .defaultText = "unknown",
                  .help = "its shape, such as \"1,224,224,3\""},
};

std::string fault(const Graph& graph, NodeId id)
{
    if (graph.node(id).op() == "Placeholder")
        return "it is a placeholder already";
    const std::string reader = laterOutputReader(graph, id);
    return reader.empty() ? reader : reader + ", and a placeholder has only one";
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    return chosenFindings(*graph, args.parameters, "replace_by_placeholder", fault);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto findings, find(graph, args, job));
    GraphEdit edit(graph);
    for (const Finding& finding : findings) {
        if (job.cancelled())
            return cancelledError();
        const NodeId id = finding.nodes.front();
        const Node& node = graph->node(id);
        if (node.op() == "Placeholder")
            continue;
        if (!finding.why.empty())
            return Error{ErrorCode::InvalidArgument,
                         std::string(node.name()) + " cannot be replaced: " + finding.why};
        ASSIGN_OR_RETURN(auto draft, placeholderFor(std::string(node.name()),
                                                    dtypeOfOutput(*graph, id, 0), args.parameters));
        draft.device = node.device();
        edit.countPlaces(1);
        edit.replace(id, std::move(draft));
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::replaceByPlaceholder{
    .name = "replace_by_placeholder",
    .summary = "Replaces nodes by placeholders of the same dtype.",
    .before = "d = Decode(file)\n"
              "y = Relu(d)",
    .after = "d = Placeholder()\n"
             "y = Relu(d), with name=d",
    .declines = "Placeholders stay as they are. A node whose other outputs are read is an error, "
                "and so is a type that is neither known nor given.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
