// SPDX-License-Identifier: Apache-2.0
#include "transforms/sparse/column_weights.h"

#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace lapidary {
namespace {

bool isWeights(const Node& node)
{
    return node.op() == "Const" || isReferenceVariable(node.op());
}

// Returns why a table cannot replace a gather of float columns; empty if it can.
std::string fault(const Graph& graph, NodeId id, const Node& weights)
{
    const Node& gather = graph.node(id);
    if (weights.attr("dtype").asType() != DType::Float)
        return std::string(weights.name()) + " is not float";
    const DType ids = gather.attr("Tindices").asType().value_or(DType::Invalid);
    if (ids != DType::Int64 && ids != DType::Int32)
        return "the type of its indices is not known";
    if (gather.op() == "Gather")
        return "";
    if (gather.attr("batch_dims").asInt().value_or(0) != 0)
        return "it has batch dimensions";
    const Endpoint axis = graph.inputs(id)[2];
    const auto tensor = axis.node.isValid() && graph.node(axis.node).op() == "Const"
                            ? graph.node(axis.node).tensor()
                            : Result<Tensor>(Error{ErrorCode::NotFound, ""});
    const bool isInteger = tensor && (tensor.value().dtype() == DType::Int32 ||
                                      tensor.value().dtype() == DType::Int64);
    if (!isInteger || tensor.value().elements() < 1)
        return "its axis is not a constant integer";
    const auto value = tensor.value().numbers(0, 1);
    return value && value.value()[0] == 0 ? "" : "its axis is not 0";
}

} // namespace

std::vector<ColumnWeight> findColumnWeights(const Graph& graph)
{
    std::vector<ColumnWeight> found;
    std::unordered_map<std::uint32_t, std::size_t> places; // index in `found`, by weight
    std::unordered_set<std::uint32_t> reads;               // Identity nodes that are listed
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId id{i};
        const std::size_t wanted = graph.node(id).op() == "Gather"     ? 2
                                   : graph.node(id).op() == "GatherV2" ? 3
                                                                       : 0;
        const auto inputs = graph.inputs(id);
        if (wanted == 0 || inputs.size() < wanted || !inputs[0].node.isValid() ||
            graph.node(inputs[0].node).op() != "Identity" || graph.inputs(inputs[0].node).empty())
            continue;
        const Endpoint from = graph.inputs(inputs[0].node)[0];
        if (!from.node.isValid() || from.isControl() || !isWeights(graph.node(from.node)))
            continue;
        const auto [place, isNew] = places.emplace(from.node.value, found.size());
        if (isNew)
            found.push_back({from.node, {}, {}, {}});
        ColumnWeight& weight = found[place->second];
        if (std::string why = fault(graph, id, graph.node(from.node)); !why.empty()) {
            weight.declined.emplace_back(id, std::move(why));
            continue;
        }
        weight.gathers.push_back(id);
        if (reads.insert(inputs[0].node.value).second)
            weight.reads.push_back(inputs[0].node);
    }
    return found;
}

} // namespace lapidary
