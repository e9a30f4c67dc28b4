// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/node_json.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/summary/tensor_values_text.h"
#include "graph_model/tensor/statistics.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lapidary {
namespace {

template <class Values, class Convert>
Json listJson(const Values& values, Convert convert)
{
    Json list = Json::array();
    for (const auto& value : values)
        list.push_back(convert(value));
    return list;
}

Json tensorProtoJson(std::string_view proto)
{
    const auto tensor = Tensor::decode(proto, nullptr);
    if (!tensor)
        return {{"error", tensor.error().message}};
    return {{"dtype", dtypeName(tensor->dtype())},
            {"shape", shapeJson(tensor->shape())},
            {"values", tensorValuesText(*tensor)}};
}

Json functionNameJson(std::string_view name)
{
    return {{"function", name}};
}

// A list has values of one kind; only the member that is not empty tells which.
Json attrListJson(const AttrValue& value)
{
    const auto same = [](const auto& element) { return Json(element); };
    if (const auto strings = value.strings(); !strings.empty())
        return listJson(strings, same);
    if (const auto ints = value.ints(); !ints.empty())
        return listJson(ints, same);
    if (const auto floats = value.floats(); !floats.empty())
        return listJson(floats, same);
    if (const auto bools = value.bools(); !bools.empty())
        return listJson(bools, [](bool element) { return Json(element); });
    if (const auto types = value.types(); !types.empty())
        return listJson(types, [](DType type) { return Json(dtypeName(type)); });
    if (const auto shapes = value.shapes(); !shapes.empty())
        return listJson(shapes, shapeJson);
    if (const auto tensors = value.tensorProtos(); !tensors.empty())
        return listJson(tensors, tensorProtoJson);
    return listJson(value.functionNames(), functionNameJson);
}

Json attrJson(const AttrValue& value)
{
    switch (value.kind()) {
    case AttrKind::None: return nullptr;
    case AttrKind::List: return attrListJson(value);
    case AttrKind::String: return value.asString().value_or("");
    case AttrKind::Int: return value.asInt().value_or(0);
    case AttrKind::Float: return value.asFloat().value_or(0);
    case AttrKind::Bool: return value.asBool().value_or(false);
    case AttrKind::Type: return dtypeName(value.asType().value_or(DType::Invalid));
    case AttrKind::Shape: return shapeJson(value.asShape().value_or(Shape{}));
    case AttrKind::Tensor: return tensorProtoJson(value.asTensorProto().value_or(""));
    case AttrKind::Placeholder: return {{"placeholder", value.asPlaceholder().value_or("")}};
    case AttrKind::Func: return functionNameJson(value.asFunctionName().value_or(""));
    }
    return nullptr;
}

Result<Json> valueJson(const Node& node, const Job& job)
{
    const auto tensor = node.tensor();
    if (!tensor)
        return node.attr("value").kind() == AttrKind::Tensor
                   ? Json{{"error", tensor.error().message}}
                   : Json(nullptr);
    return tensorJson(*tensor, job);
}

// Tensors are named "node:port"; those inside a function keep their own form.
std::string tensorName(const Input& input)
{
    const bool plain = input.text.find(':') == std::string_view::npos;
    return std::string(input.text) + (plain ? ":0" : "");
}

void addWiring(Json& json, const Graph& graph, NodeId id)
{
    Json inputs = Json::array();
    Json controls = Json::array();
    for (const Input& input : graph.node(id).inputs()) {
        if (input.isControl())
            controls.push_back(input.node);
        else
            inputs.push_back(tensorName(input));
    }
    Json names = Json::array();
    Json readers = Json::array();
    std::unordered_set<std::uint32_t> seen;
    for (const Consumer& consumer : graph.consumers(id)) {
        const std::string_view name = graph.node(consumer.node).name();
        if (seen.insert(consumer.node.value).second)
            names.push_back(name);
        Json reader = {{"node", name}, {"input", consumer.slot}};
        if (consumer.isControl())
            reader["control"] = true;
        else
            reader["port"] = consumer.port;
        readers.push_back(std::move(reader));
    }
    json["inputs"] = std::move(inputs);
    json["control_inputs"] = std::move(controls);
    json["consumers"] = std::move(names);
    json["readers"] = std::move(readers);
}

// If a node has two attributes of the same name, the last one counts.
Json attrsJson(const Node& node)
{
    Json json = Json::object();
    // Uses the object's underlying list: the object itself would search all names for each new one.
    auto& entries = static_cast<Json::object_t::Container&>(json.get_ref<Json::object_t&>());
    std::unordered_map<std::string_view, std::size_t> places;
    for (const Attr& attr : node.attrs()) {
        const auto [place, isNew] = places.emplace(attr.name, entries.size());
        if (isNew)
            entries.emplace_back(std::string(attr.name), attrJson(attr.value));
        else
            entries[place->second].second = attrJson(attr.value);
    }
    return json;
}

} // namespace

Result<Json> tensorJson(const Tensor& value, const Job& job)
{
    Json json = {{"dtype", dtypeName(value.dtype())}, {"shape", shapeJson(value.shape())}};
    const auto statistics = tensorStatistics(value, 20, job);
    if (!statistics) {
        if (statistics.error().code == ErrorCode::Cancelled)
            return statistics.error();
    } else {
        const TensorStatistics& facts = *statistics;
        const auto number = [&](double figure) {
            return facts.finite() > 0 ? Json(figure) : Json(nullptr);
        };
        json["min"] = number(facts.minimum);
        json["max"] = number(facts.maximum);
        json["mean"] = number(facts.mean);
        json["std"] = number(facts.deviation);
        json["zeros"] = facts.zeros;
        json["nan"] = facts.nans;
        json["inf"] = facts.infinities;
        json["histogram"] = facts.bins;
    }
    json["values"] = tensorValuesText(value);
    return json;
}

Result<Json> nodeJson(const Graph& graph, NodeId id, const Job& job)
{
    const Node& node = graph.node(id);
    auto tensor = valueJson(node, job);
    RETURN_IF_ERROR(tensor);
    Json json = {{"name", node.name()}, {"op", node.op()}, {"device", node.device()}};
    addWiring(json, graph, id);
    json["attrs"] = attrsJson(node);
    const std::size_t slash = node.name().rfind('/');
    json["scope"] = slash == std::string_view::npos ? "" : node.name().substr(0, slash);
    const OpSpec* op = registeredOp(graph, id);
    json["signature"] = op != nullptr ? Json(signatureText(*op)) : Json(nullptr);
    json["family"] = opFamilyName(opFamily(node.op()));
    if (graph.functions() != nullptr)
        json["functions"] = listJson(calledFunctions(graph, node, *graph.functions()),
                                     [](const FunctionPtr& called) { return Json(called->name); });
    json["tensor"] = *std::move(tensor);
    return json;
}

} // namespace lapidary
