// SPDX-License-Identifier: Apache-2.0
// merge_duplicate_nodes
//
// Nodes of the same op, inputs, device and attributes become the first of them, round after round.
// Stateful and unknown ops, placeholders, and the model's inputs and outputs are never merged.
#include "graph_model/ops/op_registry.h"
#include "transforms/edits/dangling_input.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

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

// Returns one text of everything that makes two nodes equal. Lengths separate the parts. Of large
// values it has samples only: see FirstNodes.
std::string content(const Node& node)
{
    std::string text;
    const auto append = [&](std::string_view part) {
        text += std::to_string(part.size());
        text += ':';
        text += part;
    };
    append(node.op());
    append(node.device());
    for (const Input& input : node.inputs())
        append(input.isControl() || input.port != 0 || !input.output.empty() ? input.text
                                                                             : input.node);
    text += '|';
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

// Tells for nodes of the same text whether their large values are equal too.
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

// The first node of each content. Weights are read only if their samples are equal, and each is
// hashed once, so that many similar ones take no longer.
class FirstNodes {
public:
    explicit FirstNodes(const Graph& graph)
        : m_graph(graph)
    {
    }

    // Returns the first node that equals this one; itself if it is the first.
    NodeId firstOf(NodeId id)
    {
        Group& group = m_groups[content(m_graph.node(id))];
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

private:
    struct Group {
        NodeId first;
        std::unordered_multimap<std::size_t, NodeId> byHash; // from the second equal node on
    };
    const Graph& m_graph;
    std::unordered_map<std::string, Group> m_groups;
};

bool mayMerge(const Node& node)
{
    const OpSpec* op = findOp(node.op());
    return op != nullptr && !op->isStateful && !node.op().starts_with("Placeholder");
}

Result<EditResult> mergeRound(const GraphPtr& graph, const PassArgs& args, const Job& job,
                              Findings* findings)
{
    const auto kept = interfaceNodes(args);
    GraphEdit edit(graph);
    FirstNodes nodes(*graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 256 == 0 && job.cancelled())
            return cancelledError();
        const Node& node = graph->node(NodeId{i});
        if (!mayMerge(node) || kept.contains(node.name()) || graph->find(node.name()) != NodeId{i})
            continue;
        const NodeId first = nodes.firstOf(NodeId{i});
        if (first == NodeId{i})
            continue;
        const std::string to(graph->node(first).name());
        for (const Consumer& consumer : graph->consumers(NodeId{i})) {
            const std::string port =
                consumer.port > 0 ? ":" + std::to_string(consumer.port) : std::string();
            const std::string caret = consumer.isControl() ? "^" : "";
            edit.redirect(caret + std::string(node.name()) + port, caret + to + port);
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
    .summary = "Lets nodes that compute the same become one.",
    .before = "r = Relu(a)\n"
              "s = Relu(b), b equal to a\n"
              "y = Add(r, s)",
    .after = "r = Relu(a)\n"
             "y = Add(r, r)",
    .declines = "Stateful ops, ops that nobody knows, placeholders, and inputs and outputs of the "
                "model.",
    .differences = "The first of equal nodes stays; the original follows the order of hashes. A "
                   "port on an input or output protects its node too. Unknown ops are not faults.",
    .find = OneWalk<merge>::find,
    .run = OneWalk<merge>::run,
};

} // namespace lapidary
