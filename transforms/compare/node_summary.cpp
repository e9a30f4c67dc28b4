// SPDX-License-Identifier: Apache-2.0
#include "transforms/compare/node_summary.h"

#include "graph_model/base/text.h"
#include "graph_model/base/wire.h"
#include "graph_model/summary/number_text.h"
#include "graph_model/summary/tensor_values_text.h"
#include "transforms/compare/function_value.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

// Returns a string as TensorFlow's SummarizeNode shows it: long strings keep their first and last
// ten characters.
std::string stringSummary(std::string_view bytes)
{
    constexpr std::size_t longest = 80;
    constexpr std::size_t shown = 10;
    const std::string text = escapedBytes(bytes);
    if (text.size() < longest)
        return inQuotes(text);
    return inQuotes(text.substr(0, shown) + "..." + text.substr(text.size() - shown));
}

std::string typeText(DType dtype)
{
    std::string name = dtypeName(dtype);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return "DT_" + name;
}

std::string tensorText(std::string_view proto, const BufferPtr& owner)
{
    const auto tensor = Tensor::decode(proto, owner);
    if (!tensor)
        return "<Invalid TensorProto: " + tensor.error().message + ">";
    return "Tensor<type: " + dtypeName(tensor->dtype()) + " shape: " + shapeText(tensor->shape()) +
           " values: " + tensorValuesText(*tensor) + ">";
}

std::string joined(const std::vector<std::string>& items)
{
    constexpr std::size_t many = 15;
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items.size() >= many && i == shown) {
            text += ", ...";
            i = items.size() - shown;
        }
        text += (text.empty() ? "" : ", ") + items[i];
    }
    return text;
}

std::string listText(const AttrValue& value, const BufferPtr& owner)
{
    std::vector<std::string> items;
    for (const std::string_view text : value.strings())
        items.push_back(stringSummary(text));
    for (const std::int64_t number : value.ints())
        items.push_back(std::to_string(number));
    for (const float number : value.floats())
        items.push_back(floatText(number));
    for (const bool flag : value.bools())
        items.emplace_back(flag ? "true" : "false");
    for (const DType type : value.types())
        items.push_back(typeText(type));
    for (const Shape& shape : value.shapes())
        items.push_back(shapeText(shape));
    for (const std::string_view proto : value.tensorProtos())
        items.push_back(tensorText(proto, owner));
    for (const std::string_view name : value.functionNames())
        items.emplace_back(name);
    return "[" + joined(items) + "]";
}

std::string functionText(const AttrValue& value, const BufferPtr& owner)
{
    const FunctionValue function = functionValue(value);
    std::vector<std::string> items;
    for (const auto& [name, attr] : function.attrs)
        items.push_back(std::string(name) + "=" + valueSummary(attr, owner));
    std::string text = std::string(function.name) + "[";
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : ", ") + items[i];
    return text + "]";
}

} // namespace

// The recursion is as deep as functions are nested in the file, which its reader limits.
std::string valueSummary(const AttrValue& value, const BufferPtr& owner)
{
    switch (value.kind()) {
    case AttrKind::String: return stringSummary(value.asString().value_or(""));
    case AttrKind::Int: return std::to_string(value.asInt().value_or(0));
    case AttrKind::Float: return floatText(value.asFloat().value_or(0));
    case AttrKind::Bool: return value.asBool().value_or(false) ? "true" : "false";
    case AttrKind::Type: return typeText(value.asType().value_or(DType::Invalid));
    case AttrKind::Shape: return shapeText(value.asShape().value_or(Shape()));
    case AttrKind::Tensor: return tensorText(value.asTensorProto().value_or(""), owner);
    case AttrKind::List: return listText(value, owner);
    case AttrKind::Func: return functionText(value, owner);
    case AttrKind::Placeholder: return "$" + std::string(value.asPlaceholder().value_or(""));
    case AttrKind::None: break;
    }
    return "<Unknown AttrValue type>";
}

std::string nodeSummary(const Node& node)
{
    std::vector<Attr> attrs(node.attrs().begin(), node.attrs().end());
    std::ranges::sort(attrs, {}, &Attr::name);
    std::string text =
        "{{node " + std::string(node.name()) + "}} = " + std::string(node.op()) + "[";
    std::string list;
    for (const Attr& attr : attrs)
        list += (list.empty() ? "" : ", ") + std::string(attr.name) + "=" +
                valueSummary(attr.value, node.owner());
    if (!node.device().empty())
        list += (list.empty() ? "" : ", ") + std::string("_device=\"") +
                std::string(node.device()) + "\"";
    text += list + "](";
    for (std::size_t i = 0; i < node.inputs().size(); ++i)
        text += (i == 0 ? "" : ", ") + std::string(node.inputs()[i].text);
    return text + ")";
}

} // namespace lapidary
