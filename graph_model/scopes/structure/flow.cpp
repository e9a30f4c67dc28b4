// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/flow.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

namespace lapidary::structure {
namespace {

std::uint64_t attributeHash(const Node& node)
{
    std::uint64_t sum = 0;
    for (const Attr& attr : node.attrs()) {
        if (attr.value.kind() == AttrKind::Tensor || attr.name.starts_with("_"))
            continue;
        sum += mixHash(std::hash<std::string_view>()(attr.name),
                       std::hash<std::string_view>()(attr.value.encoded()));
    }
    return sum;
}

bool isResourceArgument(const Node& node)
{
    if (node.op() != "_Arg" && node.op() != "Placeholder")
        return false;
    for (const char* name : {"dtype", "T"})
        if (const auto type = node.attr(name).asType(); type && *type == DType::Resource)
            return true;
    return false;
}

// Numbers the children of one scope.
class LocalIds {
public:
    LocalIds(const ScopeDraft& draft, const std::vector<ItemId>& items)
        : m_nodes(draft.parentOfNode.size(), none)
        , m_groups(draft.groups.size(), none)
    {
        for (std::uint32_t i = 0; i < items.size(); ++i)
            (items[i].isNode() ? m_nodes : m_groups)[items[i].index] = i;
    }
    std::uint32_t of(ItemId item) const
    {
        return item.isNode() ? m_nodes[item.index] : m_groups[item.index];
    }

private:
    std::vector<std::uint32_t> m_nodes;
    std::vector<std::uint32_t> m_groups;
};

void describeItems(const ScopeDraft& draft, Flow& flow)
{
    std::unordered_map<std::string_view, std::uint32_t> opIds;
    const auto opId = [&](std::string_view op) {
        const auto [found, isNew] = opIds.try_emplace(op, std::uint32_t(flow.ops.size()));
        if (isNew)
            flow.ops.push_back(traitsOf(op));
        return found->second;
    };
    for (const ItemId item : flow.items) {
        if (item.isNode()) {
            const Node& node = draft.graph->node(item.node());
            flow.opOf.push_back(opId(node.op()));
            flow.content.push_back(flow.ops[flow.opOf.back()].hash);
            flow.detail.push_back(mixHash(flow.content.back(), attributeHash(node)));
            flow.isResource.push_back(isResourceArgument(node));
        } else {
            flow.opOf.push_back(opId({}));
            flow.content.push_back(draft.groups[item.index].structure);
            flow.detail.push_back(flow.content.back());
            flow.isResource.push_back(false);
        }
    }
}

// Adds the sizes of kernels: a 1×1 convolution differs from a 3×3 one. Numbers of channels do not
// matter.
void addKernelSizes(const Graph& graph, Flow& flow)
{
    flow.kind = flow.content;
    for (std::uint32_t i = 0; i < flow.size(); ++i) {
        if (!flow.traits(i).isAnchor || !flow.items[i].isNode())
            continue;
        const std::optional<Shape> shape = weightShape(graph, flow, i);
        if (!shape || shape->dims.size() < 4)
            continue;
        for (std::size_t d = 0; d + 2 < shape->dims.size(); ++d)
            flow.content[i] = mixHash(flow.content[i], std::uint64_t(shape->dims[d]));
    }
}

} // namespace

Flow makeFlow(const ScopeDraft& draft, GroupId scope, std::span<const LevelEdge> edges)
{
    Flow flow;
    flow.items = draft.groups[scope.value].children;
    describeItems(draft, flow);
    const LocalIds ids(draft, flow.items);
    std::vector<std::pair<std::uint32_t, Wire>> data;
    std::vector<std::pair<std::uint32_t, Wire>> control;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> readers;
    for (const LevelEdge& edge : edges) {
        const std::uint32_t from = ids.of(edge.from);
        const std::uint32_t to = ids.of(edge.to);
        if (from == to)
            continue;
        (edge.port < 0 ? control : data).emplace_back(to, Wire{from, edge.slot, edge.port});
        if (edge.port >= 0)
            readers.emplace_back(from, to);
    }
    flow.inputs = Rows<Wire>(flow.size(), data);
    flow.controls = Rows<Wire>(flow.size(), control);
    flow.readers = Rows<std::uint32_t>(flow.size(), readers);
    addKernelSizes(*draft.graph, flow);
    return flow;
}

std::optional<Shape> weightShape(const Graph& graph, const Flow& flow, std::uint32_t item)
{
    std::uint32_t at = none;
    for (const Wire& wire : flow.inputs[item])
        if (wire.slot == 1)
            at = wire.source;
    for (int steps = 0; at != none && steps < 4; ++steps) {
        if (!flow.items[at].isNode())
            return {};
        if (flow.traits(at).isParameter)
            return declaredShape(graph.node(flow.items[at].node()));
        at = flow.inputs[at].empty() ? none : flow.inputs[at][0].source;
    }
    return {};
}

} // namespace lapidary::structure
