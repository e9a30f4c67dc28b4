// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/made_examples.h"

#include "graph_model/base/wire.h"
#include "graph_model/tensor/shape.h"
#include "runner/execute/session.h"

#include <bit>
#include <cstdint>
#include <map>

namespace lapidary::goldens {
namespace {

struct Feature {
    DType dtype = DType::Invalid;
    std::int64_t values = 1;
};
using Features = std::map<std::string, Feature>;

// Returns the strings of a constant input.
Result<std::vector<std::string>> textOf(Session& session, const Graph& graph, Endpoint from)
{
    RunRequest request;
    request.fetches.push_back(std::string(graph.node(from.node).name()) + ":" +
                              std::to_string(from.port));
    ASSIGN_OR_RETURN(const auto values, session.run(request, Job()));
    const auto strings = values.front().strings();
    return std::vector<std::string>(strings.begin(), strings.end());
}

// Returns the names of the features: of sparse ones, then of dense ones.
Result<std::vector<std::string>> keysOf(Session& session, const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    std::vector<std::string> keys;
    for (const char* attr : {"sparse_keys", "dense_keys"})
        for (const std::string_view key : node.attr(attr).strings())
            keys.emplace_back(key);
    constexpr std::size_t firstKeys = 2; // after the examples and their names
    const bool isList = node.op() == "ParseExampleV2";
    const auto inputs = isList ? std::size_t(2)
                               : std::size_t(node.attr("Nsparse").asInt().value_or(0) +
                                             node.attr("Ndense").asInt().value_or(0));
    for (std::size_t i = 0; i < inputs; ++i) {
        ASSIGN_OR_RETURN(auto more, textOf(session, graph, graph.inputs(id)[firstKeys + i]));
        keys.insert(keys.end(), more.begin(), more.end());
    }
    return keys;
}

Status addFeatures(Session& session, const Graph& graph, NodeId id, Features& features)
{
    const Node& node = graph.node(id);
    ASSIGN_OR_RETURN(const auto keys, keysOf(session, graph, id));
    const std::vector<DType> sparse = node.attr("sparse_types").types();
    const std::vector<DType> dense = node.attr("Tdense").types();
    const std::vector<Shape> shapes = node.attr("dense_shapes").shapes();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool isSparse = i < sparse.size();
        Feature feature{.dtype = isSparse ? sparse[i] : dense[i - sparse.size()]};
        if (!isSparse)
            for (const std::int64_t size : shapes[i - sparse.size()].dims)
                feature.values *= size < 0 ? 1 : size;
        features[keys[i]] = feature;
    }
    return Done{};
}

// Encodes the list of a Feature, with its field number in that message: bytes 1, floats 2, integers
// 3.
std::string encoded(const Feature& feature, std::size_t example)
{
    std::string list;
    for (std::int64_t i = 0; i < feature.values; ++i) {
        const auto number = std::uint32_t(example + std::size_t(i));
        if (feature.dtype == DType::String)
            WireWriter(list).bytes(1, "word " + std::to_string(number));
        else if (feature.dtype == DType::Float)
            WireWriter(list).fixed32(1, std::bit_cast<std::uint32_t>(float(number) * 0.75F - 1));
        else
            WireWriter(list).varint(1, number);
    }
    const int kind = feature.dtype == DType::String ? 1 : feature.dtype == DType::Float ? 2 : 3;
    std::string message;
    WireWriter(message).bytes(std::uint32_t(kind), list);
    return message;
}

} // namespace

Result<std::vector<std::string>> madeExamples(const GraphPtr& graph, std::size_t count)
{
    Session session(graph, {});
    Features features;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const std::string_view op = graph->node(NodeId{i}).op();
        if (op == "ParseExample" || op == "ParseExampleV2" || op == "ParseSingleExample")
            RETURN_IF_ERROR(addFeatures(session, *graph, NodeId{i}, features));
    }
    std::vector<std::string> examples;
    for (std::size_t i = 0; i < count && !features.empty(); ++i) {
        std::string list;
        for (const auto& [key, feature] : features) {
            std::string entry;
            WireWriter(entry).bytes(1, key);
            WireWriter(entry).bytes(2, encoded(feature, i));
            WireWriter(list).bytes(1, entry);
        }
        WireWriter(examples.emplace_back()).bytes(1, list);
    }
    return examples;
}

} // namespace lapidary::goldens
