// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/example_form.h"

#include "graph_model/base/varint.h"
#include "graph_model/base/wire.h"
#include "runner/feeds/seeded_value.h"

#include <algorithm>
#include <bit>

namespace lapidary {
namespace {

constexpr std::size_t mostFeatures = 4096;
constexpr std::int64_t mostElements = 1 << 20; // of all features together

std::vector<std::string> constantTexts(const Graph& graph, const Endpoint& from)
{
    if (!from.node.isValid() || from.isControl() || graph.node(from.node).op() != "Const")
        return {};
    const auto tensor = graph.node(from.node).tensor();
    const auto texts = tensor.ok() ? tensor->strings() : Result<std::vector<std::string>>(Error{});
    return texts.ok() ? *texts : std::vector<std::string>();
}

bool isEmptyConstant(const Graph& graph, const Endpoint& from)
{
    if (!from.node.isValid() || graph.node(from.node).op() != "Const")
        return false;
    const auto tensor = graph.node(from.node).tensor();
    return tensor.ok() && tensor->elements() == 0;
}

// The dense keys of a parser, and the index of the input that holds the first one's default.
struct DenseKeys {
    std::vector<std::string> keys;
    std::size_t firstDefault = 0;
};

DenseKeys denseKeys(const Graph& graph, NodeId parser)
{
    const Node& node = graph.node(parser);
    const auto inputs = graph.inputs(parser);
    DenseKeys found;
    if (node.op() == "ParseSingleExample") {
        for (const std::string_view key : node.attr("dense_keys").strings())
            found.keys.emplace_back(key);
        found.firstDefault = 1;
    } else if (node.op() == "ParseExampleV2" && inputs.size() > 3) {
        found.keys = constantTexts(graph, inputs[3]);
        found.firstDefault = 5;
    } else if (node.op() == "ParseExample") {
        const auto countOf = [&](const char* attr) {
            const std::int64_t count = node.attr(attr).asInt().value_or(0);
            return std::size_t(std::clamp<std::int64_t>(count, 0, std::int64_t(inputs.size())));
        };
        const std::size_t first = 2 + countOf("Nsparse");
        found.firstDefault = first + countOf("Ndense");
        for (std::size_t i = first; i < std::min(found.firstDefault, inputs.size()); ++i)
            for (std::string& key : constantTexts(graph, inputs[i]))
                found.keys.push_back(std::move(key));
    }
    return found;
}

std::vector<RequiredFeature> featuresOf(const Graph& graph, NodeId parser)
{
    const Node& node = graph.node(parser);
    const auto inputs = graph.inputs(parser);
    const DenseKeys dense = denseKeys(graph, parser);
    const std::vector<DType> types = node.attr("Tdense").types();
    const std::vector<Shape> shapes = node.attr("dense_shapes").shapes();
    const std::size_t count = dense.keys.size();
    if (count > mostFeatures || types.size() != count || shapes.size() != count ||
        inputs.size() < dense.firstDefault + count)
        return {};
    std::vector<RequiredFeature> features;
    std::int64_t elements = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!isEmptyConstant(graph, inputs[dense.firstDefault + i]))
            continue;
        const auto size = elementCount(shapes[i]);
        elements += size.value_or(mostElements + 1);
        if (elements > mostElements)
            return {};
        features.push_back({dense.keys[i], types[i], shapes[i].dims});
    }
    return features;
}

// Encodes a Feature: the list of its type, bytes_list, float_list or int64_list, with its values.
std::string encoded(const Value& value)
{
    std::string list;
    WireWriter values(list);
    std::string packed;
    std::uint32_t kind = 1;
    if (value.dtype() == DType::String) {
        for (const std::string& text : value.strings())
            values.bytes(1, text);
    } else if (value.dtype() == DType::Float) {
        kind = 2;
        for (const float number : value.as<float>())
            for (const auto bits = std::bit_cast<std::uint32_t>(number);
                 const int shift : {0, 8, 16, 24})
                packed.push_back(char((bits >> shift) & 0xFF));
        values.bytes(1, packed);
    } else {
        kind = 3;
        for (const std::int64_t number : value.as<std::int64_t>())
            appendVarint(packed, std::uint64_t(number));
        values.bytes(1, packed);
    }
    std::string feature;
    WireWriter(feature).bytes(kind, list);
    return feature;
}

// Encodes Example { features { feature { key, value } ... } }; `valueOf` returns the value of a
// feature.
template <class ValueOf>
Result<std::string> message(const std::vector<RequiredFeature>& features, const ValueOf& valueOf)
{
    std::string map;
    for (const RequiredFeature& feature : features) {
        ASSIGN_OR_RETURN(const Value value, valueOf(feature));
        std::string entry;
        WireWriter writer(entry);
        writer.bytes(1, feature.key);
        writer.bytes(2, encoded(value));
        WireWriter(map).bytes(1, entry);
    }
    std::string example;
    WireWriter(example).bytes(1, map);
    return example;
}

bool isKnown(DType dtype)
{
    return dtype == DType::Float || dtype == DType::Int64 || dtype == DType::String;
}

} // namespace

std::vector<RequiredFeature> requiredFeatures(const Graph& graph, NodeId input)
{
    for (const Consumer& reader : graph.consumers(input)) {
        if (reader.isControl() || reader.slot != 0)
            continue;
        std::vector<RequiredFeature> features = featuresOf(graph, reader.node);
        if (!features.empty() && std::ranges::all_of(features, isKnown, &RequiredFeature::dtype))
            return features;
    }
    return {};
}

Result<std::string> exampleOf(const std::vector<RequiredFeature>& features, double number,
                              MemoryPool& pool)
{
    return message(features, [&](const RequiredFeature& feature) -> Result<Value> {
        if (feature.dtype == DType::String)
            return Value::make(DType::String, feature.dims, pool);
        return seededValue(feature.dtype, feature.dims, 0, {number, number}, pool);
    });
}

Result<std::string> randomExample(const std::vector<RequiredFeature>& features,
                                  const RandomFeed& source, MemoryPool& pool)
{
    std::uint64_t seed = source.seed;
    return message(features, [&](const RequiredFeature& feature) -> Result<Value> {
        ++seed;
        if (feature.dtype == DType::String)
            return seededWords(feature.dims, seed, pool);
        const SeededRange range = source.range.value_or(usualRange(feature.dtype));
        return seededValue(feature.dtype, feature.dims, seed, range, pool);
    });
}

} // namespace lapidary
