// SPDX-License-Identifier: Apache-2.0
#include "graph_model/onnx/check_onnx.h"

#include <algorithm>
#include <functional>
#include <set>

namespace lapidary {
namespace {

Error differs(const std::string& what)
{
    return {ErrorCode::Internal,
            "the written file does not read back correctly: " + what + "; it is not written"};
}

bool sameGraph(const OnnxGraph& a, const OnnxGraph& b);

bool sameAttribute(const OnnxAttribute& a, const OnnxAttribute& b)
{
    if ((a.graph == nullptr) != (b.graph == nullptr) ||
        (a.graph != nullptr && !sameGraph(*a.graph, *b.graph)))
        return false;
    return a.name == b.name && a.type == b.type && a.number == b.number && a.real == b.real &&
           a.text == b.text && a.numbers == b.numbers && a.reals == b.reals && a.texts == b.texts;
}

bool sameNode(const OnnxNode& a, const OnnxNode& b)
{
    return a.op == b.op && a.name == b.name && a.domain == b.domain && a.inputs == b.inputs &&
           a.outputs == b.outputs && std::ranges::equal(a.attributes, b.attributes, sameAttribute);
}

bool sameTensor(const OnnxTensor& a, const OnnxTensor& b)
{
    return a.name == b.name && a.dtype == b.dtype && a.dims == b.dims && a.bytes == b.bytes;
}

bool sameValue(const OnnxValue& a, const OnnxValue& b)
{
    return a.name == b.name && a.dtype == b.dtype && a.hasShape == b.hasShape && a.dims == b.dims;
}

bool sameGraph(const OnnxGraph& a, const OnnxGraph& b)
{
    return std::ranges::equal(a.nodes, b.nodes, sameNode) &&
           std::ranges::equal(a.initializers, b.initializers, sameTensor) &&
           std::ranges::equal(a.inputs, b.inputs, sameValue) &&
           std::ranges::equal(a.outputs, b.outputs, sameValue) &&
           std::ranges::equal(a.values, b.values, sameValue);
}

template <class T>
Status compareLists(const std::vector<T>& meant, const std::vector<T>& read, const char* what,
                    bool (*same)(const T&, const T&))
{
    if (meant.size() != read.size())
        return differs(std::string("the number of ") + what + "s");
    for (std::size_t i = 0; i < meant.size(); ++i)
        if (!same(meant[i], read[i]))
            return differs(std::string(what) + " " + meant[i].name);
    return Done{};
}

Status compare(const OnnxModel& meant, const OnnxModel& read)
{
    if (meant.opset != read.opset || meant.producer != read.producer)
        return differs("the head of the file");
    RETURN_IF_ERROR(compareLists(meant.nodes, read.nodes, "node", sameNode));
    RETURN_IF_ERROR(compareLists(meant.initializers, read.initializers, "initializer", sameTensor));
    RETURN_IF_ERROR(compareLists(meant.inputs, read.inputs, "input", sameValue));
    RETURN_IF_ERROR(compareLists(meant.outputs, read.outputs, "output", sameValue));
    return compareLists(meant.values, read.values, "value", sameValue);
}

Status checkAttributes(const OnnxNode& node)
{
    std::set<std::string_view> names;
    for (const OnnxAttribute& attribute : node.attributes)
        if (!names.insert(attribute.name).second)
            return differs("the node " + node.name + " has two attributes " + attribute.name);
    return Done{};
}

// Checks that nodes are sorted, and that no name is made twice; `made`: the names of the enclosing
// graphs.
Status checkOrder(const OnnxGraph& model, std::set<std::string_view> made)
{
    for (const OnnxValue& input : model.inputs)
        if (!made.insert(input.name).second)
            return differs("two inputs are named " + input.name);
    for (const OnnxTensor& tensor : model.initializers)
        if (!made.insert(tensor.name).second)
            return differs("the name " + tensor.name + " is made twice");
    for (const OnnxNode& node : model.nodes) {
        RETURN_IF_ERROR(checkAttributes(node));
        for (const std::string& input : node.inputs)
            if (!made.contains(input))
                return differs(input + " is read before it is made");
        for (const OnnxAttribute& attribute : node.attributes)
            if (attribute.graph != nullptr)
                RETURN_IF_ERROR(checkOrder(*attribute.graph, made));
        for (const std::string& output : node.outputs)
            if (!output.empty() && !made.insert(output).second)
                return differs("the name " + output + " is made twice");
    }
    for (const OnnxValue& output : model.outputs)
        if (!made.contains(output.name))
            return differs("nothing makes the output " + output.name);
    return Done{};
}

} // namespace

Status checkOnnx(const OnnxModel& meant, const EncodedModel& file)
{
    auto read = decodeOnnx(file.frame());
    if (!read)
        return differs("it " + read.error().message);
    for (OnnxTensor& tensor : read->initializers)
        tensor.bytes = file.filledIn(tensor.bytes);
    RETURN_IF_ERROR(compare(meant, *read));
    return checkOrder(*read, {""});
}

} // namespace lapidary
