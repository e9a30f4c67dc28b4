// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/node_flags.h"
#include "graph_model/interface/output_signs.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace lapidary {
namespace {

// Returns whether the op works along the axes in its second input: Sum, Mean, Any and the like.
bool isReduction(std::string_view op)
{
    const OpSpec* spec = findOp(op);
    return spec != nullptr && spec->inputs.size() == 2 &&
           spec->inputs[1].name == "reduction_indices";
}

// Returns the axes of a reduction, if they are constant.
std::optional<std::vector<double>> constantAxes(const Graph& graph, NodeId id)
{
    constexpr std::int64_t mostAxes = 16;
    const auto inputs = graph.inputs(id);
    if (inputs.size() < 2 || !inputs[1].node.isValid())
        return std::nullopt;
    const Node& axes = graph.node(inputs[1].node);
    if (axes.op() != "Const")
        return std::nullopt;
    const auto list = axes.tensor();
    if (!list.ok() || list->elements() > mostAxes)
        return std::nullopt;
    const auto numbers = list->numbers(0, list->elements());
    if (!numbers.ok())
        return std::nullopt;
    return std::vector<double>(numbers->begin(), numbers->end());
}

enum class Axes { None, WithFirst, Others };

// Returns the axes of a reduction. A Range up to the rank includes the first axis.
Axes reducedAxes(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    if (inputs.size() > 1 && inputs[1].node.isValid() && graph.node(inputs[1].node).op() == "Range")
        return Axes::WithFirst;
    const auto axes = constantAxes(graph, id);
    if (!axes)
        return Axes::Others;
    if (axes->empty())
        return Axes::None;
    return std::ranges::find(*axes, 0) != axes->end() ? Axes::WithFirst : Axes::Others;
}

bool keepsDims(const Node& node)
{
    return node.attr("keep_dims").asBool().value_or(false);
}

} // namespace

bool sumsOverExamples(const Graph& graph, NodeId id)
{
    constexpr std::size_t farEnough = 256; // nodes
    std::vector<NodeId> open{id};
    std::set<NodeId> seen{id};
    bool hasSum = false;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const Node& node = graph.node(open[i]);
        const std::string_view op = node.op();
        const Axes axes = isReduction(op) ? reducedAxes(graph, open[i]) : Axes::None;
        if (op == "L2Loss" || (axes == Axes::WithFirst && !keepsDims(node))) {
            hasSum = true;
            continue;
        }
        if (isConstant(op) || asksForSize(op))
            continue;
        const bool goesOn = isReduction(op) ? axes == Axes::None
                                            : isPassThrough(op) || op == "Cast" ||
                                                  opFamily(op) == OpFamily::ElementWise;
        const auto inputs = graph.inputs(open[i]);
        if (!goesOn || open.size() + inputs.size() > farEnough)
            return false;
        for (const Endpoint& from : inputs)
            if (from.node.isValid() && !from.isControl() && seen.insert(from.node).second)
                open.push_back(from.node);
    }
    return hasSum;
}

bool poolsSpace(const Graph& graph, NodeId id)
{
    const std::string_view op = graph.node(id).op();
    if (op.starts_with("AvgPool") || op.starts_with("MaxPool"))
        return op.find("Grad") == std::string_view::npos;
    if (op != "Mean" && op != "Max")
        return false;
    const auto axes = constantAxes(graph, id);
    return axes && axes->size() > 1 &&
           std::ranges::all_of(*axes, [](double axis) { return axis > 0; });
}

bool asksForEqualFloats(const Node& node)
{
    const std::string_view op = node.op();
    const DType type = node.attr("T").asType().value_or(DType::Invalid);
    return op == "IsFinite" || op == "IsInf" || op == "IsNan" ||
           ((op == "Equal" || op == "NotEqual") &&
            (type == DType::Float || type == DType::Double || type == DType::Half ||
             type == DType::BFloat16));
}

} // namespace lapidary
