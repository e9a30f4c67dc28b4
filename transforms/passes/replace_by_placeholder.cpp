// replace_by_placeholder
//
//   before:  d = Decode(file), y = Relu(d)        after (name=d):  d = Placeholder, y = Relu(d)
//
// What only the replaced node needed stays; remove_dead_nodes takes it away. Not an original
// transform.
#include "transforms/pass/chosen_nodes.h"
#include "transforms/pass/placeholder_node.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    nodeParameter,
    ParameterSpec{.name = "type",
                  .type = "dtype",
                  .help = "dtype of the placeholder; the node's own if not given"},
    ParameterSpec{.name = "shape",
                  .type = "shape",
                  .defaultText = "unknown",
                  .help = "its shape, as in \"1,224,224,3\""},
};

std::string fault(const Graph& graph, NodeId id)
{
    if (graph.node(id).op() == "Placeholder")
        return "it is a placeholder already";
    for (const Consumer& reader : graph.consumers(id))
        if (reader.port > 0)
            return "its output " + std::to_string(reader.port) + " is read by " +
                   std::string(graph.node(reader.node).name()) + ", and a placeholder has only one";
    return "";
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    const auto nodes = chosenNodes(*graph, args.parameters, "replace_by_placeholder");
    if (!nodes)
        return nodes.error();
    Findings findings;
    for (const NodeId id : nodes.value())
        findings.push_back({{id}, fault(*graph, id)});
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto findings = find(graph, args, job);
    if (!findings)
        return findings.error();
    GraphEdit edit(graph);
    for (const Finding& finding : findings.value()) {
        if (job.cancelled())
            return Error{ErrorCode::Cancelled, "the pass was cancelled"};
        const NodeId id = finding.nodes.front();
        const Node& node = graph->node(id);
        if (node.op() == "Placeholder")
            continue;
        if (!finding.why.empty())
            return Error{ErrorCode::InvalidArgument,
                         std::string(node.name()) + " cannot be replaced: " + finding.why};
        auto draft =
            placeholderFor(std::string(node.name()), dtypeOfOutput(*graph, id, 0), args.parameters);
        if (!draft)
            return draft.error();
        draft.value().device = node.device();
        edit.countPlaces(1);
        edit.replace(id, std::move(draft).value());
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::replaceByPlaceholder{
    .name = "replace_by_placeholder",
    .summary = "Makes single nodes placeholders of the same type.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
