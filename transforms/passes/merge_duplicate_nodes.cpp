// SPDX-License-Identifier: Apache-2.0
// merge_duplicate_nodes
//
// Nodes of the same op, inputs, device and attributes become the first of them, and so do their
// readers if these are then equal. One walk from the inputs on finds all equal nodes. Stateful and
// unknown ops, placeholders, and the model's inputs and outputs are never merged.
#include "graph_model/ops/op_registry.h"
#include "transforms/edits/dangling_input.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace lapidary {
namespace {

constexpr std::size_t largeValue = 256;

// Returns some bytes from all over a large value, and its size.
void appendSample(std::string& text, std::string_view value)
{
    constexpr std::size_t samples = 64;
    text += '#';
    text += std::to_string(value.size());
    text += '#';
    for (std::size_t i = 0; i < samples; ++i)
        text += value[(value.size() - 1) / (samples - 1) * i];
    text += value.substr(value.size() - samples);
}

// Returns whether nodes with the same text have equal large values, too.
bool hasSameValues(const Node& a, const Node& b)
{
    return std::ranges::all_of(a.attrs(), [&](const Attr& attr) {
        return attr.value.encoded().size() <= largeValue || attr.value == b.attr(attr.name);
    });
}

std::size_t valueHash(const Node& node)
{
    std::size_t hash = 0;
    for (const Attr& attr : node.attrs())
        if (attr.value.encoded().size() > largeValue)
            hash = hash * 31 + std::hash<std::string_view>()(attr.value.encoded());
    return hash;
}

bool mayMerge(const Node& node)
{
    const OpSpec* op = findOp(node.op());
    return op != nullptr && !op->isStateful && !node.op().starts_with("Placeholder");
}

// Finds the nodes of a graph that compute the same. A node is visited after those that it reads,
// and again only if a cycle showed later that two of them are equal.
class EqualNodes {
public:
    // `kept`: names of nodes that are never merged.
    EqualNodes(const Graph& graph, const std::set<std::string, std::less<>>& kept);
    Status find(const Job& job);
    // Returns the first of the nodes that equal this one; the node itself if it is the first.
    NodeId firstOf(NodeId id) const { return m_classes[m_classOf[id.value]].front(); }

private:
    // Nodes of one content. Weights are read only if their samples are equal, and each is hashed
    // once, so that many similar nodes do not take longer.
    struct Group {
        NodeId first;
        std::unordered_multimap<std::size_t, NodeId> byHash; // from the second equal node on
    };

    std::string content(NodeId id) const;
    std::string inputsOf(NodeId id) const;
    NodeId equalOf(NodeId id);
    void join(NodeId a, NodeId b);

    const Graph& m_graph;
    std::vector<NodeId> m_order;
    std::vector<std::uint32_t> m_place;         // position in the order, by node
    std::vector<char> m_mayMerge;               // by node
    std::vector<std::uint32_t> m_classOf;       // by node
    std::vector<std::vector<NodeId>> m_classes; // nodes of each class, the first one in front
    std::set<std::uint32_t> m_open;             // indices of the nodes to visit
    std::unordered_map<std::string, Group> m_groups;
};

EqualNodes::EqualNodes(const Graph& graph, const std::set<std::string, std::less<>>& kept)
    : m_graph(graph)
    , m_order(topologicalOrder(graph))
    , m_place(graph.size())
    , m_mayMerge(graph.size())
    , m_classOf(graph.size())
{
    for (std::uint32_t place = 0; place < m_order.size(); ++place) {
        const NodeId id = m_order[place];
        const Node& node = graph.node(id);
        m_place[id.value] = place;
        const bool isWhole = std::ranges::all_of(
            graph.inputs(id), [](const Endpoint& from) { return from.node.isValid(); });
        m_mayMerge[id.value] = char(isWhole && mayMerge(node) && !kept.contains(node.name()) &&
                                    graph.find(node.name()) == id);
        if (m_mayMerge[id.value] != 0)
            m_open.insert(m_open.end(), place);
    }
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        m_classOf[i] = i;
        m_classes.push_back({NodeId{i}});
    }
}

Status EqualNodes::find(const Job& job)
{
    for (std::size_t looked = 0; !m_open.empty(); ++looked) {
        if (looked % 256 == 0 && job.cancelled())
            return cancelledError();
        const NodeId id = m_order[*m_open.begin()];
        m_open.erase(m_open.begin());
        join(equalOf(id), id);
    }
    return Done{};
}

// Returns a text of the inputs in terms of their classes. Leaves out a control input that was moved
// and repeats another one, or waits for a node that is read anyway, as the rewritten node will.
std::string EqualNodes::inputsOf(NodeId id) const
{
    const Node& node = m_graph.node(id);
    const auto endpoints = m_graph.inputs(id);
    const auto classOf = [&](std::size_t slot) { return m_classOf[endpoints[slot].node.value]; };
    const auto isMoved = [&](std::size_t slot) {
        return firstOf(endpoints[slot].node) != endpoints[slot].node;
    };
    const bool waitsForAll = node.op().ends_with("Merge");
    std::unordered_set<std::uint32_t> known; // classes that are read or waited for
    for (std::size_t slot = 0; slot < endpoints.size(); ++slot)
        if (!endpoints[slot].isControl() || !isMoved(slot))
            known.insert(classOf(slot));
    std::string text;
    for (std::size_t slot = 0; slot < endpoints.size(); ++slot) {
        const Endpoint& from = endpoints[slot];
        if (from.isControl() && isMoved(slot) && !waitsForAll &&
            !known.insert(classOf(slot)).second)
            continue;
        text += std::to_string(classOf(slot)) + ':' + std::to_string(from.port) + ' ';
    }
    return text;
}

// Returns one text of everything that makes two nodes equal. Lengths separate the parts. Large
// values are only sampled: see Group.
std::string EqualNodes::content(NodeId id) const
{
    const Node& node = m_graph.node(id);
    std::string text;
    const auto append = [&](std::string_view part) {
        text += std::to_string(part.size());
        text += ':';
        text += part;
    };
    append(node.op());
    append(node.device());
    append(inputsOf(id));
    std::vector<Attr> attrs(node.attrs().begin(), node.attrs().end());
    std::ranges::sort(attrs, {}, &Attr::name);
    for (const Attr& attr : attrs) {
        append(attr.name);
        const std::string_view value = attr.value.encoded();
        if (value.size() <= largeValue)
            append(value);
        else
            appendSample(text, value);
    }
    return text;
}

// Returns an equal node that was visited before; the node itself if there is none.
NodeId EqualNodes::equalOf(NodeId id)
{
    Group& group = m_groups[content(id)];
    if (!group.first.isValid())
        return group.first = id;
    if (group.byHash.empty())
        group.byHash.emplace(valueHash(m_graph.node(group.first)), group.first);
    const std::size_t hash = valueHash(m_graph.node(id));
    const auto [begin, end] = group.byHash.equal_range(hash);
    for (auto at = begin; at != end; ++at)
        if (hasSameValues(m_graph.node(id), m_graph.node(at->second)))
            return at->second;
    group.byHash.emplace(hash, id);
    return id;
}

// Merges the smaller class into the other one, and marks its readers to be visited again.
void EqualNodes::join(NodeId a, NodeId b)
{
    std::uint32_t to = m_classOf[a.value];
    std::uint32_t from = m_classOf[b.value];
    if (to == from)
        return;
    if (m_classes[to].size() < m_classes[from].size())
        std::swap(to, from);
    const std::vector<NodeId> joining = std::exchange(m_classes[from], {});
    std::vector<NodeId>& nodes = m_classes[to];
    for (const NodeId id : joining) {
        m_classOf[id.value] = to;
        nodes.push_back(id);
        if (id < nodes.front())
            std::swap(nodes.front(), nodes.back());
        for (const Consumer& reader : m_graph.consumers(id))
            if (m_mayMerge[reader.node.value] != 0)
                m_open.insert(m_place[reader.node.value]);
    }
}

Result<EditResult> mergeRound(const GraphPtr& graph, const PassArgs& args, const Job& job,
                              Findings* findings)
{
    EqualNodes equal(*graph, interfaceNodes(args));
    RETURN_IF_ERROR(equal.find(job));
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 256 == 0 && job.cancelled())
            return cancelledError();
        const NodeId first = equal.firstOf(NodeId{i});
        if (first == NodeId{i})
            continue;
        const std::string from(graph->node(NodeId{i}).name());
        const std::string to(graph->node(first).name());
        for (const Consumer& consumer : graph->consumers(NodeId{i})) {
            const std::string port =
                consumer.port > 0 ? ":" + std::to_string(consumer.port) : std::string();
            const std::string caret = consumer.isControl() ? "^" : "";
            edit.redirect(caret + from + port, caret + to + port);
        }
        edit.countPlaces(1);
        edit.remove(NodeId{i}, "the same as " + to);
        if (findings != nullptr)
            findings->push_back({{NodeId{i}, first}, ""});
    }
    return std::move(edit).finish();
}

Result<EditResult> merge(const GraphPtr& graph, const PassArgs& args, const Job& job,
                         Findings* findings)
{
    if (std::string fault = danglingInput(*graph); !fault.empty())
        return Error{ErrorCode::InvalidArgument, std::move(fault)};
    EditChain chain(graph);
    for (std::size_t merged = 1; merged > 0;) {
        Findings some;
        auto round = mergeRound(chain.graph(), args, job, findings != nullptr ? &some : nullptr);
        for (Finding& finding : chain.inBase(std::move(some)))
            findings->push_back(std::move(finding));
        ASSIGN_OR_RETURN(merged, chain.apply(std::move(round)));
    }
    return std::move(chain).finish();
}

} // namespace

const Pass passes::mergeDuplicateNodes{
    .name = "merge_duplicate_nodes",
    .summary = "Merges nodes that compute the same value.",
    .before = "r = Relu(a)\n"
              "s = Relu(b), b equal to a\n"
              "y = Add(r, s)",
    .after = "r = Relu(a)\n"
             "y = Add(r, r)",
    .declines = "Stateful ops, unknown ops, placeholders, and inputs and outputs of the model.",
    .differences = "The first of equal nodes stays; the original follows the order of hashes. A "
                   "port on an input or output protects its node too. Unknown ops are not faults.",
    .find = OneWalk<merge>::find,
    .run = OneWalk<merge>::run,
};

} // namespace lapidary
