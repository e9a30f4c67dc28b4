// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/diff/mutations.h"

#include "transforms/constants/const_node.h"

#include <algorithm>

namespace lapidary {
namespace {

using Drafts = std::vector<NodeDraft>;

Drafts draftsOf(const Graph& graph)
{
    Drafts drafts;
    for (const NodePtr& node : graph.nodes())
        drafts.push_back(NodeDraft::of(*node));
    return drafts;
}

GraphPtr rebuilt(const Graph& graph, std::vector<NodePtr> nodes)
{
    Graph::Parts parts;
    parts.nodes = std::move(nodes);
    parts.versions = graph.versions();
    parts.functions = graph.sharedFunctions();
    return Graph::make(std::move(parts));
}

GraphPtr rebuilt(const Graph& graph, const Drafts& drafts)
{
    std::vector<NodePtr> nodes;
    for (const NodeDraft& draft : drafts)
        nodes.push_back(draft.finish());
    return rebuilt(graph, std::move(nodes));
}

std::string withPrefixAndPort(const Input& input, const std::string& node)
{
    if (input.isControl())
        return "^" + node;
    return input.port == 0 ? node : node + ":" + std::to_string(input.port);
}

class Mutator {
public:
    Mutator(const Graph& graph, std::mt19937_64& random)
        : m_graph(graph)
        , m_random(random)
        , m_drafts(draftsOf(graph))
    {
    }

    Mutation addReader()
    {
        const std::size_t at = below(m_drafts.size());
        NodeDraft node = newNode(fresh("new/reader"), "Identity", {m_drafts[at].name});
        const ExpectedChanges expected{{"added", {node.name}}};
        m_drafts.push_back(std::move(node));
        return done("add", expected);
    }

    Mutation insertOnEdge()
    {
        const auto at = choose([&](std::size_t i) { return firstData(i) == 0; });
        if (!at)
            return {};
        NodeDraft node = newNode(fresh("inserted"), "Identity", {m_drafts[*at].inputs[0]});
        m_drafts[*at].inputs[0] = node.name;
        const ExpectedChanges expected{{"added", {node.name}}, {"rewired", {m_drafts[*at].name}}};
        m_drafts.push_back(std::move(node));
        return done("insert", expected);
    }

    Mutation removeLeaf()
    {
        const auto at = choose([&](std::size_t i) { return m_graph.consumers(id(i)).empty(); });
        if (!at)
            return {};
        const ExpectedChanges expected{{"removed", {m_drafts[*at].name}}};
        m_drafts.erase(m_drafts.begin() + std::ptrdiff_t(*at));
        return done("remove", expected);
    }

    Mutation removeBetween()
    {
        const auto at = choose([&](std::size_t i) {
            const auto readers = m_graph.consumers(id(i));
            return !readers.empty() && firstData(i) == 0 &&
                   m_graph.inputs(id(i))[0].node != id(i) &&
                   std::ranges::all_of(readers, [&](const Consumer& reader) {
                       return reader.port == 0 && reader.node != id(i);
                   });
        });
        if (!at)
            return {};
        ExpectedChanges expected{{"removed", {m_drafts[*at].name}}};
        for (const Consumer& reader : m_graph.consumers(id(*at))) {
            NodeDraft& draft = m_drafts[reader.node.value];
            draft.inputs[reader.slot] = m_drafts[*at].inputs[0];
            expected["rewired"].insert(draft.name);
        }
        m_drafts.erase(m_drafts.begin() + std::ptrdiff_t(*at));
        return done("bypass", expected);
    }

    Mutation rename()
    {
        const std::size_t at = below(m_drafts.size());
        const std::string old = m_drafts[at].name;
        const std::string name = fresh(below(2) == 0 ? "moved/" + old : old + "_renamed");
        m_drafts[at].name = name;
        for (NodeDraft& draft : m_drafts)
            for (std::string& text : draft.inputs)
                if (const Input input = parseInput(text); input.node == old)
                    text = withPrefixAndPort(input, name);
        return done("rename", {{"renamed", {old + " -> " + name}}});
    }

    Mutation rewire()
    {
        const auto at = choose([&](std::size_t i) { return firstData(i) == 0; });
        if (!at)
            return {};
        const NodeId now = m_graph.inputs(id(*at))[0].node;
        const auto other = choose([&](std::size_t i) { return id(i) != now; });
        if (!other)
            return {};
        m_drafts[*at].inputs[0] = m_drafts[*other].name;
        return done("rewire", {{"rewired", {m_drafts[*at].name}}});
    }

    Mutation addControl()
    {
        const auto at = choose([&](std::size_t) { return true; });
        const auto other = choose([&](std::size_t i) {
            return std::ranges::none_of(m_drafts[*at].inputs, [&](const std::string& text) {
                return text == "^" + m_drafts[i].name;
            });
        });
        if (!other)
            return {};
        m_drafts[*at].inputs.push_back("^" + m_drafts[*other].name);
        return done("control", {{"rewired", {m_drafts[*at].name}}});
    }

    Mutation changeAttribute()
    {
        return changeAttr("attribute", [&](const AttrValue& value) -> std::string {
            switch (value.kind()) {
            case AttrKind::Int: return attr::fromInt(*value.asInt() + 1);
            case AttrKind::Float: return attr::fromFloat(*value.asFloat() * 2 + 1);
            case AttrKind::Bool: return attr::fromBool(!*value.asBool());
            case AttrKind::String: return attr::fromString(std::string(*value.asString()) + "X");
            case AttrKind::List:
                return value.ints().empty() ? "" : attr::fromInts({7, 7, 7, 7, 7, 7});
            default: return "";
            }
        });
    }

    Mutation changeDtype()
    {
        return changeAttr("dtype", [&](const AttrValue& value) -> std::string {
            if (value.kind() != AttrKind::Type)
                return "";
            return attr::fromType(value.asType() == DType::Half ? DType::Double : DType::Half);
        });
    }

    Mutation changeShape()
    {
        return changeAttr("shape", [&](const AttrValue& value) -> std::string {
            if (value.kind() != AttrKind::Shape)
                return "";
            Shape shape = value.asShape().value_or(Shape());
            shape.unknownRank = false;
            shape.dims.push_back(17);
            return attr::fromShape(shape);
        });
    }

    Mutation changeConstant()
    {
        const auto isFloats = [&](std::size_t i) {
            const auto values = floatValues(m_graph.node(id(i)));
            return m_drafts[i].op == "Const" && values.ok() && !values.value().empty();
        };
        const auto at = choose(isFloats);
        if (!at)
            return {};
        const Node& node = m_graph.node(id(*at));
        std::vector<float> values = floatValues(node).value();
        float& value = values[below(values.size())];
        value = value == 3.0F ? 4.0F : 3.0F;
        const NodeDraft changed = floatConst(m_drafts[*at].name, constDims(node), values);
        for (const auto& [name, encoded] : changed.attrs)
            if (name == "value")
                m_drafts[*at].setAttr(name, encoded);
        return done("constant", {{"constants", {m_drafts[*at].name}}});
    }

    Mutation changeOp()
    {
        NodeDraft& draft = m_drafts[below(m_drafts.size())];
        draft.op = draft.op == "Relu6" ? "Elu" : "Relu6";
        return done("op", {{"ops", {draft.name}}});
    }

    Mutation changeDevice()
    {
        NodeDraft& draft = m_drafts[below(m_drafts.size())];
        draft.device += "/device:GPU:3";
        return done("device", {{"device", {draft.name}}});
    }

private:
    static NodeId id(std::size_t i) { return NodeId{std::uint32_t(i)}; }
    std::size_t below(std::size_t count) { return std::size_t(m_random() % count); }

    // Returns a random node among those that fit.
    template <class Fits>
    std::optional<std::size_t> choose(const Fits& fits)
    {
        std::vector<std::size_t> fitting;
        for (std::size_t i = 0; i < m_drafts.size(); ++i)
            if (fits(i))
                fitting.push_back(i);
        if (fitting.empty())
            return {};
        return fitting[below(fitting.size())];
    }

    // Returns 0 if the first input is a tensor of an existing node.
    int firstData(std::size_t i) const
    {
        const auto inputs = m_graph.inputs(id(i));
        return !inputs.empty() && !inputs[0].isControl() && inputs[0].node.isValid() ? 0 : -1;
    }

    std::string fresh(std::string name) const
    {
        while (m_graph.find(name).isValid())
            name += "_";
        return name;
    }

    template <class Change>
    Mutation changeAttr(const std::string& kind, const Change& change)
    {
        struct Place {
            NodeDraft* draft;
            std::string name;
            std::string value;
        };
        std::vector<Place> places;
        for (NodeDraft& draft : m_drafts)
            for (const auto& [name, encoded] : draft.attrs)
                if (std::string value = change(AttrValue(encoded)); !value.empty())
                    places.push_back({&draft, name, std::move(value)});
        if (places.empty())
            return {};
        const Place& place = places[below(places.size())];
        place.draft->setAttr(place.name, place.value);
        return done(kind, {{kind, {place.draft->name + "." + place.name}}});
    }

    Mutation done(std::string kind, ExpectedChanges expected)
    {
        return {std::move(kind), rebuilt(m_graph, m_drafts), std::move(expected)};
    }

    const Graph& m_graph;
    std::mt19937_64& m_random;
    Drafts m_drafts;
};

} // namespace

Mutation mutate(const Graph& graph, int kind, std::mt19937_64& random)
{
    Mutator mutator(graph, random);
    switch (kind) {
    case 0: return mutator.addReader();
    case 1: return mutator.insertOnEdge();
    case 2: return mutator.removeLeaf();
    case 3: return mutator.removeBetween();
    case 4: return mutator.rename();
    case 5: return mutator.rewire();
    case 6: return mutator.addControl();
    case 7: return mutator.changeAttribute();
    case 8: return mutator.changeDtype();
    case 9: return mutator.changeShape();
    case 10: return mutator.changeConstant();
    case 11: return mutator.changeOp();
    default: return mutator.changeDevice();
    }
}

GraphPtr shuffled(const Graph& graph, std::mt19937_64& random)
{
    std::vector<NodePtr> nodes(graph.nodes().begin(), graph.nodes().end());
    std::ranges::shuffle(nodes, random);
    return rebuilt(graph, std::move(nodes));
}

} // namespace lapidary
