// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/array_elements.h"

#include "graph_model/graph/graph_edit.h"
#include "graph_model/shapes/shape_facts.h"
#include "runner/shapes/infer_shapes.h"
#include "transforms/export/loops/resolve_arrays.h"

#include <algorithm>
#include <map>
#include <optional>

namespace lapidary {
namespace {

// Returns the shape that a node writes: of one element, or of all elements, with their number as
// the first size.
std::optional<Shape> writtenShape(const Graph& graph, const InferredShapes& shapes, NodeId id)
{
    const std::string_view op = graph.node(id).op();
    const TensorLabel* value =
        graph.inputs(id).size() > 2 ? shapes.find(graph.inputs(id)[2]) : nullptr;
    if (value == nullptr || value->shape.unknownRank)
        return std::nullopt;
    Shape shape = value->shape;
    if (op == "TensorArrayScatterV3" && !shape.dims.empty())
        shape.dims.erase(shape.dims.begin());
    return isFullyKnown(shape) ? std::optional(shape) : std::nullopt;
}

} // namespace

Result<GraphPtr> settleArrayElements(const GraphPtr& graph, const Job& job)
{
    std::map<std::uint32_t, std::vector<NodeId>> writes; // by array
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const std::string_view op = graph->node(NodeId{i}).op();
        if (op != "TensorArrayWriteV3" && op != "TensorArrayScatterV3")
            continue;
        const NodeId array = arrayReadBy(*graph, NodeId{i});
        const auto declared =
            array.isValid() ? graph->node(array).attr("element_shape").asShape() : std::nullopt;
        if (array.isValid() && !(declared && isFullyKnown(*declared)))
            writes[array.value].push_back(NodeId{i});
    }
    if (writes.empty())
        return graph;
    ASSIGN_OR_RETURN(const InferredShapes shapes, inferShapes(*graph, {}, job));
    GraphEdit edit(graph);
    bool isChanged = false;
    for (const auto& [array, nodes] : writes) {
        const auto shape = writtenShape(*graph, shapes, nodes.front());
        const bool agree = std::ranges::all_of(nodes, [&](NodeId write) {
            return shape && writtenShape(*graph, shapes, write) == shape;
        });
        if (!agree)
            continue;
        NodeDraft draft = NodeDraft::of(graph->node(NodeId{array}));
        draft.setAttr("element_shape", attr::fromShape(*shape));
        edit.replace(NodeId{array}, std::move(draft));
        isChanged = true;
    }
    if (!isChanged)
        return graph;
    ASSIGN_OR_RETURN(EditResult settled, std::move(edit).finish());
    return settled.graph;
}

} // namespace lapidary
