// SPDX-License-Identifier: Apache-2.0
#include "transforms/quantize/quantized_op.h"

#include "graph_model/binding/node_signature.h"

#include <algorithm>

namespace lapidary {
namespace {

using Names = std::vector<std::string_view>;

const std::vector<QuantizedOp>& table()
{
    static const std::vector<QuantizedOp> ops{
        {"Add", "QuantizedAdd", {}, {"T1", "T2"}, "Toutput", false, {}},
        {"AvgPool", "QuantizedAvgPool", {"ksize", "strides", "padding"}, {"T"}, "", false, {}},
        {"BiasAdd", "QuantizedBiasAdd", {}, {"T1", "T2"}, "out_type", false, {}},
        {"Concat", "QuantizedConcat", {"N"}, {"T"}, "", true, {0}},
        {"Conv2D",
         "QuantizedConv2D",
         {"strides", "padding"},
         {"Tinput", "Tfilter"},
         "out_type",
         false,
         {}},
        {"MatMul",
         "QuantizedMatMul",
         {"transpose_a", "transpose_b"},
         {"T1", "T2"},
         "Toutput",
         false,
         {}},
        {"MaxPool", "QuantizedMaxPool", {"ksize", "strides", "padding"}, {"T"}, "", false, {}},
        {"Mul", "QuantizedMul", {}, {"T1", "T2"}, "Toutput", false, {}},
        {"Relu", "QuantizedRelu", {}, {"Tinput"}, "", false, {}},
        {"Relu6", "QuantizedRelu6", {}, {"Tinput"}, "", false, {}},
        {"Reshape", "QuantizedReshape", {}, {"T"}, "", false, {1}},
        {"ResizeBilinear", "QuantizedResizeBilinear", {"align_corners"}, {"T"}, "", false, {1}},
    };
    return ops;
}

std::string typeFault(const Node& node, const OpSpec& spec, const QuantizedOp& op)
{
    const std::vector<DType> inputs = inputDtypes(node, spec);
    const std::vector<DType> outputs = outputDtypes(node, spec);
    if (inputs.empty() || outputs.empty())
        return "its types are not known";
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (op.isQuantized(i) && inputs[i] != DType::Float)
            return "it does not take floats";
    return outputs.front() == DType::Float ? "" : "it does not give floats";
}

// Returns the option of the float op that the 8-bit op does not have; empty if there is none.
std::string optionFault(const Node& node)
{
    const auto strides = node.attr("strides").ints();
    if (node.op() == "Conv2D" && strides.size() == 4 && strides[1] != strides[2])
        return "its strides of rows and columns differ";
    if (node.attr("data_format").asString().value_or("NHWC") != "NHWC")
        return "it is channels-first";
    if (node.attr("padding").asString().value_or("") == "EXPLICIT")
        return "its paddings are explicit";
    if (!std::ranges::all_of(node.attr("dilations").ints(),
                             [](std::int64_t dilation) { return dilation == 1; }))
        return "it is dilated";
    if (node.attr("half_pixel_centers").asBool().value_or(false))
        return "it uses half-pixel centers";
    for (const std::string_view type : {"Tshape", "Tidx"})
        if (node.attr(type).asType().value_or(DType::Int32) != DType::Int32)
            return "its shape is not of 32 bits";
    return "";
}

} // namespace

bool QuantizedOp::isQuantized(std::size_t input) const
{
    return std::ranges::find(unquantizedInputs, input) == unquantizedInputs.end();
}

std::span<const QuantizedOp> allQuantizedOps()
{
    return table();
}

const QuantizedOp* findQuantizedOp(std::string_view op)
{
    const auto found = std::ranges::find(table(), op, &QuantizedOp::op);
    return found == table().end() ? nullptr : &*found;
}

std::string quantizeFault(const Graph& graph, NodeId id, const QuantizedOp& op)
{
    const Node& node = graph.node(id);
    const OpSpec* spec = findOp(node.op());
    if (spec == nullptr)
        return "its op is not known";
    std::size_t count = 0;
    for (const Input& input : node.inputs())
        count += input.isControl() ? 0 : 1;
    if (inputLength(node, *spec) != std::int64_t(count))
        return "it has another number of inputs than its op takes";
    for (const std::string_view name : op.copiedAttrs) {
        const auto attr = std::ranges::find(spec->attrs, name, &AttrSpec::name);
        if (!node.hasAttr(name) && attr != spec->attrs.end() && !attr->hasDefault)
            return "it has no attribute " + std::string(name);
    }
    if (std::string why = typeFault(node, *spec, op); !why.empty())
        return why;
    return optionFault(node);
}

} // namespace lapidary
