// SPDX-License-Identifier: Apache-2.0
#include "tests/graph_testing.h"

#include "graph_model/base/wire.h"
#include "graph_model/binding/node_signature.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

std::string_view trim(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

NodePtr parseLine(std::string_view line)
{
    const auto equals = line.find('=');
    const auto open = line.find('(', equals);
    NodeDraft draft;
    draft.name = trim(line.substr(0, equals));
    draft.op = trim(line.substr(equals + 1, open - equals - 1));
    std::string_view rest = line.substr(open + 1, line.rfind(')') - open - 1);
    while (!trim(rest).empty()) {
        const auto comma = rest.find(',');
        draft.inputs.emplace_back(trim(rest.substr(0, comma)));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return draft.finish();
}

std::string encodedTypes(const std::vector<DType>& types)
{
    std::string list;
    for (const DType type : types)
        WireWriter(list).varint(6, std::uint64_t(type));
    std::string value;
    WireWriter(value).bytes(1, list);
    return value;
}

class Typer {
public:
    explicit Typer(const Graph& graph)
        : m_graph(graph)
        , m_nodes(graph.nodes().begin(), graph.nodes().end())
    {
    }

    GraphPtr run()
    {
        for (const bool isLast : {false, true})
            while (std::ranges::any_of(m_nodes, [&](NodePtr& n) { return complete(n, isLast); })) {
            }
        Graph::Parts parts;
        parts.nodes = std::move(m_nodes);
        return Graph::make(std::move(parts));
    }

private:
    // Adds one attribute to the node, if one is missing and known.
    bool complete(NodePtr& node, bool isLast)
    {
        const OpSpec* op = findOp(node->op());
        for (std::size_t i = 0; op != nullptr && i < op->attrs.size(); ++i) {
            const AttrSpec& spec = op->attrs[i];
            if (spec.hasDefault || node->hasAttr(spec.name))
                continue;
            auto value = valueOf(*node, *op, spec, isLast);
            if (!value)
                continue;
            NodeDraft draft = NodeDraft::of(*node);
            draft.setAttr(spec.name, *std::move(value));
            node = draft.finish();
            return true;
        }
        return false;
    }

    std::optional<std::string> valueOf(const Node& node, const OpSpec& op, const AttrSpec& spec,
                                       bool isLast) const
    {
        const auto types = inputTypes(node);
        if (spec.kind == "int") // of an argument that takes all remaining inputs
            return attr::fromInt(std::max<std::int64_t>(
                spec.minimum, std::int64_t(types.size() + 1 - op.inputs.size())));
        if (spec.kind == "list(type)")
            return encodedTypes(types);
        if (spec.kind == "string")
            return attr::fromString("x");
        if (spec.kind != "type")
            return std::string();
        for (std::size_t i = 0; i < op.inputs.size() && i < types.size(); ++i)
            if (op.inputs[i].typeAttr == spec.name && types[i] != DType::Invalid)
                return attr::fromType(types[i]);
        const bool isGiven = !op.outputs.empty() && op.outputs[0].typeAttr == spec.name;
        if (const DType read = isGiven ? readAs(node) : DType::Invalid; read != DType::Invalid)
            return attr::fromType(read);
        return isLast ? std::optional(attr::fromType(DType::Float)) : std::nullopt;
    }

    std::vector<DType> inputTypes(const Node& node) const
    {
        std::vector<DType> types;
        for (const Endpoint& from : m_graph.inputs(m_graph.find(node.name()))) {
            if (from.isControl())
                continue;
            const Node* producer = from.node.isValid() ? m_nodes[from.node.value].get() : nullptr;
            const OpSpec* op = producer == nullptr ? nullptr : findOp(producer->op());
            types.push_back(op == nullptr
                                ? DType::Invalid
                                : withoutReference(outputDtype(*producer, *op, from.port)));
        }
        return types;
    }

    DType readAs(const Node& node) const
    {
        for (const Consumer& reader : m_graph.consumers(m_graph.find(node.name()))) {
            const Node& by = *m_nodes[reader.node.value];
            const OpSpec* op = findOp(by.op());
            if (const DType type = op == nullptr || reader.isControl()
                                       ? DType::Invalid
                                       : inputDtype(by, *op, reader.slot);
                type != DType::Invalid)
                return withoutReference(type);
        }
        return DType::Invalid;
    }

    const Graph& m_graph;
    std::vector<NodePtr> m_nodes;
};

} // namespace

GraphPtr typed(const GraphPtr& graph)
{
    return Typer(*graph).run();
}

GraphPtr graph(std::string_view text)
{
    Graph::Parts parts;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = trim(text.substr(0, end));
        if (!line.empty() && line[0] != '#')
            parts.nodes.push_back(parseLine(line));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return Graph::make(std::move(parts));
}

std::string printGraph(const Graph& graph)
{
    std::string out;
    for (const NodePtr& node : graph.nodes()) {
        out += std::string(node->name()) + " = " + std::string(node->op()) + "(";
        for (std::size_t i = 0; i < node->inputs().size(); ++i)
            out += (i > 0 ? ", " : "") + std::string(node->inputs()[i].text);
        out += ")\n";
    }
    return out;
}

} // namespace lapidary
