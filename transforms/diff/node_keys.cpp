// SPDX-License-Identifier: Apache-2.0
#include "transforms/diff/node_keys.h"

#include "graph_model/base/hash.h"

#include <algorithm>
#include <functional>

namespace lapidary {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    return scrambled(a * goldenRatio64 + b + 0x7F4A7C15U);
}

// Long texts, which are weights, are sampled at the beginning, the end and some positions between.
std::uint64_t textKey(std::string_view text)
{
    constexpr std::size_t whole = 4096;
    constexpr std::size_t samples = 64;
    constexpr std::size_t sampleBytes = 16;
    const std::hash<std::string_view> hash;
    if (text.size() <= whole)
        return hash(text);
    std::uint64_t key = mix(hash(text.substr(0, whole / 2)), text.size());
    key = mix(key, hash(text.substr(text.size() - whole / 2)));
    for (std::size_t i = 1; i < samples; ++i)
        key = mix(key, hash(text.substr(text.size() / samples * i, sampleBytes)));
    return key;
}

std::uint64_t localKey(const Node& node)
{
    std::uint64_t attrs = 0; // in any order
    for (const Attr& attr : node.attrs())
        if (attr.name != "_class") // contains other nodes' names
            attrs += mix(textKey(attr.name), textKey(attr.value.encoded()));
    return mix(textKey(node.op()), attrs);
}

constexpr std::uint64_t controlEdge = 0xC0;

std::uint64_t upstreamKey(const Graph& graph, NodeId id, std::uint64_t own,
                          const std::vector<std::uint64_t>& keys)
{
    std::uint64_t key = own;
    std::uint64_t controls = 0; // in any order
    const auto endpoints = graph.inputs(id);
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
        const Endpoint& input = endpoints[i];
        const std::uint64_t producer = input.node.isValid()
                                           ? keys[input.node.value]
                                           : textKey(graph.node(id).inputs()[i].text);
        if (input.isControl())
            controls += mix(producer, controlEdge);
        else
            key = mix(key, mix(producer, std::uint64_t(input.port)));
    }
    return controls == 0 ? key : mix(key, controls);
}

std::uint64_t downstreamKey(const Graph& graph, NodeId id, std::uint64_t own,
                            const std::vector<std::uint64_t>& keys)
{
    std::uint64_t readers = 0; // in any order
    for (const Consumer& reader : graph.consumers(id)) {
        const std::uint64_t how = reader.isControl() ? controlEdge : mix(reader.slot, reader.port);
        readers += mix(keys[reader.node.value], how);
    }
    return mix(own, readers);
}

} // namespace

NodeKeys nodeKeys(const Graph& graph, const std::vector<std::uint32_t>& anchors)
{
    NodeKeys keys;
    keys.op.resize(graph.size());
    keys.local.resize(graph.size());
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const bool isAnchored = anchors[i] != unanchored;
        keys.op[i] = isAnchored ? mix(anchors[i], 1) : textKey(node.op());
        keys.local[i] = isAnchored ? mix(anchors[i], 2) : localKey(node);
    }
    keys.upstream = keys.local;
    keys.downstream = keys.local;
    const std::vector<NodeId> order = topologicalOrder(graph);
    for (const NodeId id : order)
        if (anchors[id.value] == unanchored)
            keys.upstream[id.value] = upstreamKey(graph, id, keys.local[id.value], keys.upstream);
    for (auto id = order.rbegin(); id != order.rend(); ++id)
        if (anchors[id->value] == unanchored)
            keys.downstream[id->value] =
                downstreamKey(graph, *id, keys.local[id->value], keys.downstream);
    return keys;
}

} // namespace lapidary
