// SPDX-License-Identifier: Apache-2.0
#include "runner/cost/lifted_flops.h"

#include "graph_model/lift/lift_graph.h"
#include "runner/cost/flops.h"
#include "runner/cost/graph_cost.h"

namespace lapidary {
namespace {

// Returns the known sizes of the operators' outputs, which lifting keeps.
ShapeOptions sizesFor(const Graph& lifted, const Graph& graph, const InferredShapes& shapes)
{
    ShapeOptions options;
    for (std::uint32_t i = 0; i < lifted.size(); ++i) {
        const NodeId own = graph.find(lifted.node(NodeId{i}).name());
        if (!own.isValid() || isParameter(graph.node(own)))
            continue;
        for (std::size_t port = 0; port < shapes.outputCount(own); ++port)
            if (const TensorLabel* label = shapes.find({own, std::int32_t(port)});
                label != nullptr && isFullyKnown(label->shape))
                options.given.emplace_back(Endpoint{NodeId{i}, std::int32_t(port)}, label->shape);
    }
    return options;
}

} // namespace

Result<std::vector<std::optional<std::int64_t>>>
liftedFlops(const Graph& graph, const InferredShapes& shapes, const Job& job)
{
    // Only this function's own graphs refer to it.
    const GraphPtr borrowed(std::shared_ptr<const void>(), &graph);
    ASSIGN_OR_RETURN(const GraphPtr lifted, liftGraph(borrowed, job));
    ASSIGN_OR_RETURN(const InferredShapes known,
                     inferShapes(*lifted, sizesFor(*lifted, graph, shapes), job));
    std::vector<std::optional<std::int64_t>> flops(graph.size(), 0);
    for (std::uint32_t i = 0; i < lifted->size(); ++i) {
        const NodeId of = liftedFrom(graph, lifted->node(NodeId{i}).name());
        if (!of.isValid())
            continue;
        const auto counted = flopsAt(*lifted, known, NodeId{i});
        std::optional<std::int64_t>& sum = flops[of.value];
        sum = sum && counted ? std::optional(saturatedSum(*sum, *counted)) : std::nullopt;
    }
    return flops;
}

} // namespace lapidary
