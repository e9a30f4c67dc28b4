// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/halves_as_floats.h"

#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/function.h"
#include "graph_model/graph/graph_edit.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/tensor/narrow_float.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace lapidary {
namespace {

// Returns the attribute with floats instead of halves; nothing if it has no halves.
std::optional<AttrBytes> widened(const AttrValue& value)
{
    if (value.kind() == AttrKind::Type)
        return value.asType() == DType::Half ? std::optional(attr::fromType(DType::Float))
                                             : std::nullopt;
    std::vector<DType> types = value.types();
    if (std::ranges::find(types, DType::Half) == types.end())
        return std::nullopt;
    std::ranges::replace(types, DType::Half, DType::Float);
    return attr::fromTypes(types);
}

bool hasHalves(const Node& node)
{
    return std::ranges::any_of(
        node.attrs(), [&](const auto& attr) { return widened(node.attr(attr.name)).has_value(); });
}

// Returns nothing if the value cannot be read.
std::optional<NodeDraft> widenedConst(const Node& node)
{
    const auto tensor = node.tensor();
    if (!tensor || tensor->dtype() != DType::Half)
        return std::nullopt;
    const bool isSplat = tensor->isSplat() && tensor->storedElements() > 0;
    const auto halves = isSplat ? tensor->bytes(0, tensor->storedElements()) : tensor->values();
    if (!halves)
        return std::nullopt;
    const std::size_t count = halves->size() / sizeof(Half);
    NodeDraft made =
        filledConst(std::string(node.name()), DType::Float, tensor->shape(), count * sizeof(float),
                    [&](char* to) {
                        for (std::size_t i = 0; i < count; ++i) {
                            Half half;
                            std::memcpy(&half, halves->data() + i * sizeof(Half), sizeof(Half));
                            const auto wide = float(half);
                            std::memcpy(to + i * sizeof(float), &wide, sizeof(wide));
                        }
                    });
    made.device = node.device();
    for (const Input& input : node.inputs())
        made.inputs.emplace_back(input.text);
    return made;
}

std::optional<NodeDraft> widenedNode(const Node& node)
{
    if (isConstant(node.op()))
        return widenedConst(node);
    NodeDraft draft = NodeDraft::of(node);
    for (const auto& attr : node.attrs())
        if (auto value = widened(node.attr(attr.name)))
            draft.setAttr(attr.name, *std::move(value));
    return draft;
}

GraphPtr widenedNodes(const GraphPtr& graph)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i)
        if (const Node& node = graph->node(NodeId{i}); hasHalves(node))
            if (auto draft = widenedNode(node))
                edit.replace(NodeId{i}, *std::move(draft));
    auto made = std::move(edit).finish();
    return made ? made->graph : graph;
}

bool readsBits(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
        return node->op() == "Bitcast" && hasHalves(*node);
    });
}

bool hasHalves(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [](const NodePtr& node) { return hasHalves(*node); });
}

} // namespace

GraphPtr halvesAsFloats(const GraphPtr& graph)
{
    return readsBits(*graph) || !hasHalves(*graph) ? graph : widenedNodes(graph);
}

} // namespace lapidary
