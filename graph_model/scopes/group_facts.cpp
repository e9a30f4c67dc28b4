// SPDX-License-Identifier: Apache-2.0
// The facts in a group's header: the number of nodes, their ops, the number of weights, and a hash
// of the structure. Groups are in preorder, so that a backward walk visits children before parents.
#include "graph_model/base/wire.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/scope_draft.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::size_t mostOps = 64; // maximum listed for one group

struct OpCount {
    std::uint32_t op;
    std::uint32_t count;
};
using OpCounts = std::vector<OpCount>; // sorted by op

void addTo(OpCounts& sum, const OpCounts& other)
{
    OpCounts merged;
    merged.reserve(sum.size() + other.size());
    auto a = sum.begin();
    auto b = other.begin();
    while (a != sum.end() && b != other.end()) {
        if (a->op == b->op)
            merged.push_back({a->op, a++->count + b++->count});
        else
            merged.push_back(a->op < b->op ? *a++ : *b++);
    }
    merged.insert(merged.end(), a, sum.end());
    merged.insert(merged.end(), b, other.end());
    sum = std::move(merged);
}

struct OpTable {
    std::vector<std::string_view> names;
    std::vector<std::uint32_t> ofNode;
};

OpTable internOps(const Graph& graph)
{
    OpTable table;
    std::unordered_map<std::string_view, std::uint32_t> ids;
    table.ofNode.reserve(graph.size());
    for (const NodePtr& node : graph.nodes()) {
        const auto [found, isNew] = ids.try_emplace(node->op(), std::uint32_t(table.names.size()));
        if (isNew)
            table.names.push_back(node->op());
        table.ofNode.push_back(found->second);
    }
    return table;
}

OpCounts countOwnOps(const Group& group, const OpTable& table)
{
    std::vector<std::uint32_t> ops;
    for (const ItemId child : group.children)
        if (child.isNode() && !isConstant(table.names[table.ofNode[child.index]]))
            ops.push_back(table.ofNode[child.index]);
    std::sort(ops.begin(), ops.end());
    OpCounts counts;
    for (const std::uint32_t op : ops) {
        if (counts.empty() || counts.back().op != op)
            counts.push_back({op, 0});
        ++counts.back().count;
    }
    return counts;
}

std::int64_t addSaturated(std::int64_t a, std::int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

void listOps(Group& group, OpCounts counts, const OpTable& table)
{
    const auto before = [&](const OpCount& a, const OpCount& b) {
        return a.count != b.count ? a.count > b.count : table.names[a.op] < table.names[b.op];
    };
    const std::size_t kept = std::min(counts.size(), mostOps);
    std::partial_sort(counts.begin(), counts.begin() + std::ptrdiff_t(kept), counts.end(), before);
    group.ops.reserve(kept);
    for (std::size_t i = 0; i < kept; ++i)
        group.ops.emplace_back(table.names[counts[i].op], counts[i].count);
}

// Returns the weights drawn by the nodes directly in each group.
std::vector<std::int64_t> weightsOfGroups(const ScopeDraft& draft, const std::vector<NodeId>& host,
                                          const NodeParts* parts)
{
    std::vector<std::int64_t> weights(draft.groups.size(), 0);
    for (std::uint32_t i = 0; i < draft.graph->size(); ++i) {
        const Node& node = draft.graph->node(NodeId{i});
        if ((parts != nullptr && parts->of[i] != Part::Network) || !hasWeightType(node))
            continue;
        const NodeId at = host[i].isValid() ? host[i] : NodeId{i};
        std::int64_t& sum = weights[draft.parentOfNode[at.value].value];
        sum = addSaturated(sum, weightElements(node));
    }
    return weights;
}

std::string_view tensorShape(std::string_view tensorProto)
{
    WireReader reader(tensorProto);
    while (reader.next())
        if (reader.field() == 2 && reader.type() == WireType::Bytes)
            return reader.bytes();
    return {};
}

std::optional<DType> tensorType(std::string_view tensorProto)
{
    WireReader reader(tensorProto);
    while (reader.next())
        if (reader.field() == 1 && reader.type() == WireType::Varint)
            return DType(reader.varint());
    return {};
}

} // namespace

std::optional<Shape> declaredShape(const Node& node)
{
    const std::string_view op = node.op();
    if (isConstant(op)) {
        const AttrValue value = node.attr("value");
        if (const auto proto = value.asTensorProto())
            return decodeShape(tensorShape(*proto));
    } else if (isStoredVariable(op)) {
        return node.attr("shape").asShape();
    }
    return {};
}

std::int64_t weightElements(const Node& node)
{
    const std::optional<Shape> shape = declaredShape(node);
    return shape ? std::max<std::int64_t>(elementCount(*shape).value_or(0), 0) : 0;
}

bool hasWeightType(const Node& node)
{
    auto dtype = node.attr("dtype").asType();
    if (const auto proto = node.attr("value").asTensorProto(); proto && !dtype)
        dtype = tensorType(*proto);
    if (!dtype)
        return true;
    switch (withoutReference(*dtype)) {
    case DType::Int32:
    case DType::Int64:
    case DType::String:
    case DType::Bool:
    case DType::Resource:
    case DType::Variant: return false;
    default: return true;
    }
}

Status countGroups(ScopeDraft& draft, const std::vector<NodeId>& host, const NodeParts* parts,
                   const Job& job)
{
    const std::vector<std::int64_t> weights = weightsOfGroups(draft, host, parts);
    const OpTable table = internOps(*draft.graph);
    std::vector<OpCounts> counts(draft.groups.size());
    for (std::size_t g = draft.groups.size(); g-- > 0;) {
        if (g % 1024 == 0 && job.cancelled())
            return cancelledError();
        Group& group = draft.groups[g];
        group.nodeCount = 0;
        group.weights = weights[g];
        group.ops.clear();
        addTo(counts[g], countOwnOps(group, table));
        for (const ItemId child : group.children) {
            const bool isNode = child.isNode();
            group.nodeCount += isNode ? 1 : draft.groups[child.index].nodeCount;
            if (!isNode)
                group.weights = addSaturated(group.weights, draft.groups[child.index].weights);
        }
        if (group.parent.isValid())
            addTo(counts[group.parent.value], counts[g]);
        listOps(group, std::move(counts[g]), table);
    }
    return Done{};
}

} // namespace lapidary
