// SPDX-License-Identifier: Apache-2.0
// Variables of TFLite, which keep what one run leaves for the next. A run of a file begins with
// what they are set to first.
#include "graph_model/graph/function.h"
#include "graph_model/graph/stored_scales.h"
#include "graph_model/lift/lift_rows.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t mostElements = 1 << 24;

// Zeros as the operator's output has them: codes where it has scales.
std::string zerosOf(LiftDraft& d)
{
    const auto dims = d.outDims();
    std::int64_t count = 1;
    for (const std::int64_t dim : dims.value_or(LiftDraft::Ints{0}))
        count = dim > 0 && count <= mostElements / dim ? count * dim : 0;
    if (count == 0 || d.outType() != DType::Float)
        return {};
    return d.floatList(*dims, std::vector<float>(std::size_t(count), 0));
}

// Whether all of a constant stands for 0.
bool isZero(const Graph& graph, NodeId id)
{
    if (!id.isValid() || graph.node(id).op() != "Const")
        return false;
    const auto tensor = graph.node(id).tensor();
    if (!tensor || tensor->elements() > mostElements)
        return false;
    const auto values = tensor->numbers(0, tensor->elements());
    const auto scales = storedScales(graph.node(id), 0);
    const double zero = scales && !scales->zeroPoints.empty() ? double(scales->zeroPoints[0]) : 0;
    return values && std::ranges::all_of(*values, [&](double value) { return value == zero; });
}

// Whether what runs once sets every variable to 0 and does nothing else to it.
bool beginsWithZeros(const Function& function)
{
    const Graph& body = *function.body;
    for (std::uint32_t i = 0; i < body.size(); ++i) {
        if (body.node(NodeId{i}).op() != "ASSIGN_VARIABLE")
            continue;
        const auto inputs = body.inputs(NodeId{i});
        if (inputs.size() != 2 || !isZero(body, inputs[1].node))
            return false;
    }
    return true;
}

std::string_view fileName(const Node& node)
{
    const auto names = node.attr("_output_names").strings();
    return names.empty() ? node.name() : names.front();
}

// Whether the variable still has what it was set to first: something sets it, and nothing that is
// run before sets it again.
bool isFirstRead(const Graph& graph, NodeId reader)
{
    const auto inputs = graph.inputs(reader);
    if (inputs.size() != 1 || !inputs[0].node.isValid())
        return false;
    const std::string_view variable = fileName(graph.node(inputs[0].node));
    bool isSet = false;
    for (std::uint32_t i = 0; i < reader.value; ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto from = graph.inputs(NodeId{i});
        if (node.op() == "ASSIGN_VARIABLE" && (from.empty() || !from[0].node.isValid() ||
                                               fileName(graph.node(from[0].node)) == variable))
            return false;
        if (node.op() != "CALL_ONCE" || graph.functions() == nullptr)
            continue;
        const auto name = node.attr("init_subgraph_index").asFunctionName();
        const FunctionPtr function = name ? graph.functions()->find(*name) : nullptr;
        if (function == nullptr || !beginsWithZeros(*function))
            return false;
        isSet = true;
    }
    return isSet;
}

} // namespace

bool liftTfliteVariable(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    if (op != "VARIABLE" && op != "READ_VARIABLE")
        return false;
    if (op == "READ_VARIABLE" && !isFirstRead(d.source(), d.id()))
        return false;
    const std::string zeros = zerosOf(d);
    if (zeros.empty())
        return false;
    d.give({zeros});
    return true;
}

} // namespace lapidary
