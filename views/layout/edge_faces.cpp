// SPDX-License-Identifier: Apache-2.0
#include "views/layout/edge_faces.h"

#include "graph_model/interface/node_parts.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::size_t mostTensors = 64; // limit of edges examined in a bundle
constexpr float mostLabel = 160;

// Returns 1 px for up to a kilobyte, rising to 4 px for 100 MB.
float widthFor(double bytes)
{
    const double decades = std::log10(std::max(bytes, 1.0) / 1000);
    return float(std::clamp(1 + 0.6 * decades, 1.0, 4.0));
}

// Returns the different tensors of a bundle, among the edges that are examined.
std::vector<Endpoint> tensorsOf(const Graph& graph, const PreparedEdge& edge)
{
    std::vector<Endpoint> tensors;
    for (const GraphEdge& carried : edge.edges) {
        const Endpoint from = graph.inputs(carried.reader)[carried.slot];
        if (std::ranges::find(tensors, from) == tensors.end())
            tensors.push_back(from);
        if (tensors.size() > mostTensors)
            break;
    }
    return tensors;
}

// Tells whether a bundle leads only to sizes that are drawn on other boxes.
bool asksOnlyForSize(const Graph& graph, const PreparedScope& scope, const PreparedEdge& edge)
{
    const ItemId to = edge.to >= 0 ? scope.items[std::size_t(edge.to)].item : ItemId();
    return std::ranges::all_of(edge.edges, [&](const GraphEdge& carried) {
        return asksForSize(graph.node(carried.reader).op()) && to != ItemId::of(carried.reader);
    });
}

} // namespace

EdgeFaces describeEdges(const Graph& graph, const PreparedScope& scope,
                        const DescribeEdge& describe, const MeasureText& measure)
{
    EdgeFaces faces;
    for (const PreparedEdge& edge : scope.edges) {
        std::string label;
        double bytes = 0;
        bool isInferred = false;
        if (edge.kind == EdgeKind::Data && asksOnlyForSize(graph, scope, edge)) {
            label = edge.isInner ? "" : "size"; // whatever the tensor's label is
        } else if (edge.kind != EdgeKind::Control && !edge.isInner) {
            const std::vector<Endpoint> tensors = tensorsOf(graph, edge);
            for (const Endpoint& tensor : tensors) {
                EdgeFace face = describe(graph, tensor);
                bytes += face.bytes;
                label = std::move(face.label);
                isInferred = face.isInferred;
            }
            isInferred = isInferred && tensors.size() == 1;
            if (tensors.size() > mostTensors)
                label = std::to_string(mostTensors) + "+ tensors";
            else if (tensors.size() > 1)
                label = std::to_string(tensors.size()) + " tensors";
        }
        const TextRole role = isInferred ? TextRole::InferredLabel : TextRole::EdgeLabel;
        const float width = label.empty() ? 0 : std::ceil(measure(label, role)) + 2;
        faces.labelWidths.push_back(width <= mostLabel ? width : 0);
        faces.labels.push_back(std::move(label));
        faces.inferred.push_back(isInferred);
        faces.widths.push_back(widthFor(bytes));
    }
    return faces;
}

InputTensors inputTensors(const Preparation& preparation, const DescribeEdge& describe, NodeId id)
{
    const Graph& graph = preparation.graph();
    const NodeParts* parts = preparation.tree().parts();
    InputTensors read{{id, 0}, 0};
    std::vector<std::int32_t> ports;
    double most = -1;
    for (const Consumer& consumer : graph.consumers(id)) {
        const bool isRead = parts == nullptr || parts->of[consumer.node.value] == Part::Network;
        if (consumer.isControl() || !isRead ||
            std::ranges::find(ports, consumer.port) != ports.end())
            continue;
        ports.push_back(consumer.port);
        const double bytes = describe(graph, {id, consumer.port}).bytes;
        if (bytes > most)
            read.largest.port = consumer.port;
        most = std::max(most, bytes);
    }
    read.count = ports.size();
    return read;
}

} // namespace lapidary
