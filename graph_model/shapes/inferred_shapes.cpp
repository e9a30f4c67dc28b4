// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/inferred_shapes.h"

#include "graph_model/shapes/shape_inference.h"

namespace lapidary {

std::string_view labelSourceName(LabelSource source)
{
    switch (source) {
    case LabelSource::Declared: return "declared";
    case LabelSource::Given: return "given";
    case LabelSource::Inferred: return "inferred";
    case LabelSource::Measured: return "measured";
    }
    return "inferred";
}

const TensorLabel* InferredShapes::find(Endpoint tensor) const
{
    if (!tensor.node.isValid() || tensor.isControl() ||
        std::size_t(tensor.port) >= outputCount(tensor.node))
        return nullptr;
    return &m_labels[m_firstLabel[tensor.node.value] + std::size_t(tensor.port)];
}

std::size_t InferredShapes::outputCount(NodeId node) const
{
    if (std::size_t(node.value) + 1 >= m_firstLabel.size())
        return 0;
    return m_firstLabel[node.value + 1] - m_firstLabel[node.value];
}

std::optional<std::int64_t> InferredShapes::numberOf(NodeId node) const
{
    const auto known = m_numbers.find(node);
    return known == m_numbers.end() ? std::nullopt : std::optional(known->second);
}

InferredShapes::Edges InferredShapes::countEdges(const Graph& graph) const
{
    Edges edges;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        for (const Endpoint& from : graph.inputs(NodeId{i})) {
            if (from.isControl() || !from.node.isValid())
                continue;
            ++edges.data;
            const TensorLabel* label = find(from);
            if (label == nullptr || label->shape.unknownRank)
                continue;
            ++edges.ranked;
            if (isFullyKnown(label->shape))
                ++edges.labeled;
        }
    }
    return edges;
}

Result<InferredShapes> propagateShapes(const Graph& graph, const ShapeOptions& options,
                                       FoldKernel kernel, const Job& job)
{
    InferenceShared shared(std::move(kernel));
    shared.functions = graph.functions();
    shared.producer = graph.versions().producer;
    ShapeInference inference(graph, options, shared, job);
    RETURN_IF_ERROR(inference.run());
    return inference.labels();
}

} // namespace lapidary
