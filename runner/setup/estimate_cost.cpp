// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/estimate_cost.h"

#include "graph_model/shapes/shape_facts.h"
#include "runner/cost/flops.h"
#include "runner/feeds/feed.h"
#include "runner/setup/proposed_shape.h"

#include <string>
#include <utility>

namespace lapidary {
namespace {

// Proposes the sizes of inputs that are open.
Result<ShapeOptions> proposedSizes(const Graph& graph, const InferredShapes& known, const Job& job)
{
    ShapeOptions options;
    std::size_t left = mostProposals(graph);
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Endpoint tensor{NodeId{i}, 0};
        const TensorLabel* label = known.find(tensor);
        if (graph.node(tensor.node).op() != "Placeholder" || label == nullptr)
            continue;
        Shape shape = label->shape;
        if (!isFullyKnown(shape)) {
            if (left == 0)
                continue;
            --left;
            FeedTarget input = feedTarget(graph, std::string(graph.node(tensor.node).name()));
            input.shape = shape;
            ASSIGN_OR_RETURN(auto proposed, proposedShape(graph, input, options.given, job));
            if (!proposed)
                continue;
            shape = *std::move(proposed);
        }
        options.given.emplace_back(tensor, std::move(shape));
    }
    return options;
}

} // namespace

Result<GraphCost> proposedCost(const Graph& graph, const InferredShapes& known, const Job& job)
{
    ASSIGN_OR_RETURN(const ShapeOptions sizes, proposedSizes(graph, known, job));
    ASSIGN_OR_RETURN(const InferredShapes shapes, inferShapes(graph, sizes, job));
    return costOf(graph, shapes, job);
}

Result<NodeProfilePtr> estimateCost(const Graph& graph, const InferredShapes& known, const Job& job)
{
    ASSIGN_OR_RETURN(const GraphCost cost, proposedCost(graph, known, job));
    NodeProfile profile;
    profile.source = "estimate";
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeCost& of = cost.nodes[i];
        if (!of.isCertain || (of.flops <= 0 && of.outputBytes <= 0))
            continue;
        const Node& node = graph.node(NodeId{i});
        ProfiledNode row;
        row.name = node.name();
        row.op = node.op();
        row.order = std::int64_t(profile.nodes.size()) + 1;
        row.calls = 1;
        row.bytes = std::uint64_t(of.outputBytes);
        if (of.flops > 0 || hasFlops(row.op))
            row.flops = of.flops;
        profile.nodes.push_back(std::move(row));
    }
    return std::make_shared<const NodeProfile>(std::move(profile));
}

} // namespace lapidary
