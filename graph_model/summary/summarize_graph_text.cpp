// SPDX-License-Identifier: Apache-2.0
// The report of summarize_graph, byte for byte as TensorFlow 1.15 prints it.
#include "graph_model/ops/op_traits.h"
#include "graph_model/summary/input_name.h"
#include "graph_model/summary/number_text.h"
#include "graph_model/summary/readable_summary.h"
#include "graph_model/summary/summary.h"
#include "graph_model/summary/tensor_values_text.h"

#include <algorithm>
#include <unordered_set>

namespace lapidary {
namespace {

enum class SummaryStyle { Original, Readable };

std::string originalDtypeName(DType dtype)
{
    if (dtype == DType::Invalid)
        return "INVALID";
    const std::string name = dtypeName(dtype);
    if (!name.starts_with("unknown"))
        return name;
    const bool reference = isReference(dtype);
    const auto number = std::int32_t(reference ? withoutReference(dtype) : dtype);
    return "unknown dtype enum (" + std::to_string(number) + ")" + (reference ? "_ref" : "");
}

std::string itemText(const SummaryItem& item)
{
    return "(name=" + item.name + ", type=" + originalDtypeName(item.dtype) + "(" +
           std::to_string(std::int32_t(item.dtype)) + "), shape=" + item.shapeText + ") ";
}

// Returns " possible inputs: ", or the singular for a single one in the readable style.
std::string nounText(std::size_t count, std::string what, SummaryStyle style)
{
    if (style == SummaryStyle::Readable && count == 1)
        what.erase(what.rfind('s'), 1);
    return "Found " + std::to_string(count) + what;
}

std::string itemsText(const std::vector<SummaryItem>& items, const std::string& none,
                      const std::string& what, SummaryStyle style)
{
    if (items.empty())
        return none;
    std::string text = nounText(items.size(), what, style);
    for (const SummaryItem& item : items)
        text += itemText(item);
    return text + '\n';
}

std::string outputsText(const Graph& graph, const std::vector<NodeId>& outputs, SummaryStyle style)
{
    if (outputs.empty())
        return "No outputs spotted.\n";
    std::string text = nounText(outputs.size(), " possible outputs: ", style);
    for (const NodeId id : outputs)
        text.append("(name=")
            .append(graph.node(id).name())
            .append(", op=")
            .append(graph.node(id).op())
            .append(") ");
    return text + '\n';
}

std::string countText(std::int64_t count)
{
    return std::to_string(count) + " (" + humanReadableNumber(count) + ")";
}

// Returns the original's count: only variables that contain a value, which real ones never do.
std::int64_t variablesWithValues(const Graph& graph)
{
    std::uint64_t sum = 0;
    for (const NodePtr& node : graph.nodes())
        if (isReferenceVariable(node->op()))
            if (const auto tensor = node->tensor())
                sum += std::uint64_t(tensor->elements());
    return std::int64_t(sum);
}

std::string invalidInputsText(const Graph& graph)
{
    std::unordered_set<std::string_view> names;
    for (const NodePtr& node : graph.nodes())
        names.insert(node->name());
    std::string text;
    for (const NodePtr& node : graph.nodes())
        for (const Input& input : node->inputs()) {
            const std::string_view producer = nodeNameOfInput(input.text);
            if (names.count(producer) == 0)
                text.append("Invalid input ")
                    .append(producer)
                    .append(" for node ")
                    .append(node->name())
                    .append("\n");
        }
    return text;
}

std::string opsText(const Summary& summary)
{
    std::vector<std::pair<std::string_view, std::int64_t>> counts(summary.ops.begin(),
                                                                  summary.ops.end());
    // Deliberately unstable: the order in which it leaves ties is part of the original's text.
    std::sort(counts.begin(), counts.end(),
              [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text = "Op types used: ";
    for (std::size_t i = 0; i < counts.size(); ++i)
        text.append(i == 0 ? "" : ", ")
            .append(std::to_string(counts[i].second))
            .append(" ")
            .append(counts[i].first);
    return text + '\n';
}

std::string dimensionsHint(const Node& node)
{
    const Shape shape = node.attr("shape").asShape().value_or(Shape{});
    std::string text;
    if (shape.unknownRank || !partialShapeFault(shape).empty())
        return text;
    for (const std::int64_t size : shape.dims)
        text += (text.empty() ? "" : ",") + std::to_string(size);
    return text;
}

std::string benchmarkHint(const Graph& graph, const Summary& summary, std::string_view path)
{
    std::string names;
    std::string types;
    std::string shapes;
    bool first = true;
    for (const auto* items : {&summary.inputs, &summary.variables})
        for (const SummaryItem& item : *items) {
            names += (first ? "" : ",") + item.name;
            types += (first ? "" : ",") + originalDtypeName(item.dtype);
            shapes += (first ? "" : ":") + dimensionsHint(graph.node(item.node));
            first = false;
        }
    std::string outputs;
    for (const NodeId id : summary.outputs)
        outputs.append(id == summary.outputs.front() ? "" : ",").append(graph.node(id).name());
    return "To use with tensorflow/tools/benchmark:benchmark_model try these arguments:\n"
           "bazel run tensorflow/tools/benchmark:benchmark_model -- --graph=" +
           std::string(path) + " --show_flops --input_layer=" + names +
           " --input_layer_type=" + types + " --input_layer_shape=" + shapes +
           " --output_layer=" + outputs + '\n';
}

std::string structureLine(const Node& node)
{
    std::string line(node.name());
    line.append(" (").append(node.op()).append("): [");
    for (std::size_t i = 0; i < node.inputs().size(); ++i)
        line.append(i == 0 ? "" : ", ").append(node.inputs()[i].text);
    line += ']';
    if (node.op() == "Const")
        if (const auto tensor = node.tensor()) {
            Shape shape = tensor->shape();
            shape.unknownRank = false; // meaningless in a tensor
            line += ", value=Tensor<type: " + dtypeName(tensor->dtype()) +
                    " shape: " + shapeText(shape) + " values: " + tensorValuesText(*tensor) + ">";
        }
    return line + '\n';
}

SummaryText textOf(const Graph& graph, std::string_view pathAsGiven, bool printStructure,
                   SummaryStyle style)
{
    const bool isOriginal = style == SummaryStyle::Original;
    const Summary summary = summarize(graph);
    std::string text =
        itemsText(summary.inputs, "No inputs spotted.\n", " possible inputs: ", style);
    text += itemsText(isOriginal ? summary.variables : summary.stored, "No variables spotted.\n",
                      " variables: ", style);
    text += outputsText(graph, summary.outputs, style);
    text += "Found " + countText(summary.constParameters) + " const parameters, " +
            countText(isOriginal ? variablesWithValues(graph) : summary.variableParameters) +
            " variable parameters, and " + std::to_string(summary.controlEdges) +
            (isOriginal ? " control_edges\n" : " control edges\n");
    for (const auto& device : summary.devices)
        text += std::to_string(device.second) + " nodes assigned to device '" + device.first +
                (isOriginal ? "'" : "'\n");
    if (const std::string invalid = invalidInputsText(graph); !invalid.empty())
        return {text + invalid, "Invalid graph with inputs referring to nonexistent nodes"};
    text += opsText(summary);
    if (isOriginal)
        text += benchmarkHint(graph, summary, pathAsGiven);
    if (!printStructure)
        return {text, {}};
    const auto order = executionOrder(graph);
    if (!order)
        return {text, order.error().message};
    for (const NodeId id : *order)
        text += structureLine(graph.node(id));
    return {text, {}};
}

} // namespace

SummaryText summarizeGraphText(const Graph& graph, std::string_view pathAsGiven,
                               bool printStructure)
{
    return textOf(graph, pathAsGiven, printStructure, SummaryStyle::Original);
}

SummaryText readableSummaryText(const Graph& graph, bool printStructure)
{
    return textOf(graph, "", printStructure, SummaryStyle::Readable);
}

} // namespace lapidary
