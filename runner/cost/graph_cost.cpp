// SPDX-License-Identifier: Apache-2.0
#include "runner/cost/graph_cost.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/ops/op_traits.h"
#include "runner/cost/flops.h"
#include "runner/cost/lifted_flops.h"

#include <limits>

namespace lapidary {
namespace {

constexpr std::size_t maxScopes = 1'000'000;
constexpr int maxScopeDepth = 64;

std::int64_t elementsOf(const TensorLabel* label)
{
    return label == nullptr || label->shape.unknownRank ? 0
                                                        : elementCount(label->shape).value_or(0);
}

// Returns the type and shape of the stored tensor; for a resource variable those of the value, not
// of the handle.
TensorLabel parameterLabel(const InferredShapes& shapes, NodeId id, const Node& node)
{
    if (!isVariableHandle(node.op())) {
        const TensorLabel* label = shapes.find({id, 0});
        return label != nullptr ? *label : TensorLabel();
    }
    TensorLabel label;
    const auto shape = node.attr("shape").asShape();
    if (shape && partialShapeFault(*shape).empty())
        label.shape = *shape;
    label.dtype = node.attr("dtype").asType().value_or(DType::Invalid);
    return label;
}

// `flops`: nothing if a size that they need is unknown.
NodeCost costOfNode(const Graph& graph, const InferredShapes& shapes, NodeId id,
                    const std::optional<std::int64_t>& flops)
{
    const Node& node = graph.node(id);
    NodeCost cost;
    cost.flops = flops.value_or(0);
    if (isParameter(node)) {
        const TensorLabel label = parameterLabel(shapes, id, node);
        cost.parameters = elementsOf(&label);
        cost.isCertain = flops && isFullyKnown(label.shape);
        return cost;
    }
    cost.isCertain = flops.has_value();
    for (std::size_t port = 0; port < shapes.outputCount(id); ++port) {
        const TensorLabel& label = *shapes.find({id, std::int32_t(port)});
        cost.outputBytes = saturatedSum(cost.outputBytes, tensorBytes(label));
        cost.isCertain = cost.isCertain && isFullyKnown(label.shape);
    }
    for (const Endpoint& from : graph.inputs(id))
        if (const TensorLabel* label = shapes.find(from))
            cost.inputBytes = saturatedSum(cost.inputBytes, tensorBytes(*label));
    return cost;
}

void addTo(NodeCost& sum, const NodeCost& cost)
{
    sum.flops = saturatedSum(sum.flops, cost.flops);
    sum.parameters = saturatedSum(sum.parameters, cost.parameters);
    sum.outputBytes = saturatedSum(sum.outputBytes, cost.outputBytes);
    sum.inputBytes = saturatedSum(sum.inputBytes, cost.inputBytes);
    sum.isCertain = sum.isCertain && cost.isCertain;
}

void addToScopes(GraphCost& costs, std::string_view name, const NodeCost& cost)
{
    int depth = 0;
    for (std::size_t slash = name.find('/');
         slash != std::string_view::npos && depth < maxScopeDepth;
         slash = name.find('/', slash + 1), ++depth) {
        const std::string_view scope = name.substr(0, slash);
        auto found = costs.scopes.find(scope);
        if (found == costs.scopes.end()) {
            if (costs.scopes.size() >= maxScopes)
                return;
            found = costs.scopes.emplace(std::string(scope), NodeCost()).first;
        }
        addTo(found->second, cost);
    }
}

} // namespace

bool isParameter(const Node& node)
{
    return isConstant(node.op()) || isStoredVariable(node.op());
}

std::int64_t saturatedSum(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t tensorBytes(const TensorLabel& label)
{
    std::int64_t bytes = 0;
    const auto size = std::int64_t(dtypeSize(label.dtype));
    return __builtin_mul_overflow(elementsOf(&label), size, &bytes)
               ? std::numeric_limits<std::int64_t>::max()
               : bytes;
}

Result<GraphCost> costOf(const Graph& graph, const InferredShapes& shapes, const Job& job)
{
    GraphCost costs;
    costs.nodes.reserve(graph.size());
    std::vector<std::optional<std::int64_t>> lifted; // empty: TensorFlow's ops
    if (dialectOf(graph) != Dialect::TensorFlow) {
        ASSIGN_OR_RETURN(lifted, liftedFlops(graph, shapes, job));
    }
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if ((i & 0xFFF) == 0 && job.cancelled())
            return cancelledError();
        const Node& node = graph.node(NodeId{i});
        const auto flops = lifted.empty() ? flopsAt(graph, shapes, NodeId{i}) : lifted[i];
        const NodeCost cost = costOfNode(graph, shapes, NodeId{i}, flops);
        costs.nodes.push_back(cost);
        costs.flops = saturatedSum(costs.flops, cost.flops);
        costs.parameters = saturatedSum(costs.parameters, cost.parameters);
        if (cost.parameters > 0)
            costs.parameterBytes = saturatedSum(
                costs.parameterBytes, tensorBytes(parameterLabel(shapes, NodeId{i}, node)));
        costs.uncertainNodes += cost.isCertain ? 0 : 1;
        addToScopes(costs, node.name(), cost);
    }
    const ActivationPeak peak = activationPeak(graph, shapes);
    costs.activationPeak = peak.bytes;
    costs.peakNode = peak.node;
    return costs;
}

} // namespace lapidary
