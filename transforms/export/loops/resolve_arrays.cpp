// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/resolve_arrays.h"

#include "graph_model/graph/graph_edit.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace lapidary {
namespace {

constexpr std::int64_t mostElements = 100'000;

std::optional<std::vector<std::int32_t>> constantInts(const Graph& graph, Endpoint from)
{
    while (from.node.isValid() && copiesInput(graph.node(from.node).op()) &&
           !graph.inputs(from.node).empty())
        from = graph.inputs(from.node)[0];
    if (!from.node.isValid() || !isConstant(graph.node(from.node).op()))
        return std::nullopt;
    auto values = intValues(graph.node(from.node));
    return values ? std::optional(*std::move(values)) : std::nullopt;
}

std::optional<std::int32_t> constantInt(const Graph& graph, const Endpoint& from)
{
    const auto values = constantInts(graph, from);
    return values && values->size() == 1 ? std::optional(values->front()) : std::nullopt;
}

bool grows(const Node& array)
{
    return array.attr("dynamic_size").asBool().value_or(false);
}

// The tensors of an array, by index, as inputs of nodes; empty if nothing was written.
struct Content {
    std::vector<std::string> elements;
    bool grows = false;
};

class Resolving {
public:
    explicit Resolving(const GraphPtr& graph)
        : m_graph(graph)
        , m_edit(graph)
        , m_sizes(graph)
    {
    }

    Result<GraphPtr> run() &&
    {
        for (const NodeId id : topologicalOrder(*m_graph))
            if (!visit(id))
                return withSizes();
        if (m_arrays.empty())
            return m_graph;
        ASSIGN_OR_RETURN(EditResult resolved, std::move(m_edit).finish());
        return resolved.graph;
    }

private:
    using Key = std::pair<std::uint32_t, std::int32_t>;

    // Returns the graph with only the sizes as constants: a node that reads an array may depend on
    // its size, which was unknown before.
    Result<GraphPtr> withSizes()
    {
        ASSIGN_OR_RETURN(EditResult settled, std::move(m_sizes).finish());
        return settled.graph;
    }

    Endpoint input(NodeId id, std::size_t slot) const
    {
        const auto inputs = m_graph->inputs(id);
        return slot < inputs.size() ? inputs[slot] : Endpoint{};
    }

    // Returns a tensor as the remaining nodes read it.
    std::string text(const Endpoint& from) const
    {
        const auto read = m_reads.find(from.node.value);
        if (read != m_reads.end())
            return read->second;
        return outputText(*m_graph, from);
    }

    const Content* contentOf(const Endpoint& flow) const
    {
        const auto found = m_arrays.find({flow.node.value, flow.port});
        return found == m_arrays.end() ? nullptr : &found->second;
    }

    // Returns the content of the flow that a node reads; a handle alone has none.
    const Content* contentRead(NodeId id, std::size_t slot) const
    {
        const Endpoint flow = input(id, slot);
        return flow.node.isValid() ? contentOf(flow) : nullptr;
    }

    void drop(NodeId id) { m_edit.remove(id, "its TensorArray is followed from place to place"); }

    // Returns false if the graph cannot be resolved.
    bool visit(NodeId id)
    {
        const std::string_view op = m_graph->node(id).op();
        if (op == "TensorArrayV3")
            return make(id);
        if (op == "TensorArrayScatterV3")
            return scatter(id);
        if (op == "TensorArrayWriteV3")
            return write(id);
        if (op == "TensorArrayReadV3")
            return read(id);
        if (op == "TensorArrayGatherV3")
            return gather(id);
        if (op == "TensorArrayConcatV3")
            return concatenate(id);
        if (op == "TensorArraySizeV3")
            return size(id);
        if (op == "TensorArrayCloseV3")
            return drop(id), true;
        return !op.starts_with("TensorArray") && passOn(id);
    }

    bool make(NodeId id)
    {
        const auto count = constantInt(*m_graph, input(id, 0));
        if (!count || *count < 0 || *count > mostElements)
            return false;
        m_arrays[{id.value, 1}] = {std::vector<std::string>(std::size_t(*count)),
                                   grows(m_graph->node(id))};
        m_handles.insert(id.value);
        drop(id);
        return true;
    }

    static std::string* element(Content& content, std::int32_t place)
    {
        if (place < 0 || place >= mostElements)
            return nullptr;
        if (std::size_t(place) >= content.elements.size()) {
            if (!content.grows)
                return nullptr;
            content.elements.resize(std::size_t(place) + 1);
        }
        return &content.elements[std::size_t(place)];
    }

    // Returns the element at an index; null if nothing is written there.
    static const std::string* written(const Content& content, std::int32_t place)
    {
        return place >= 0 && std::size_t(place) < content.elements.size() &&
                       !content.elements[std::size_t(place)].empty()
                   ? &content.elements[std::size_t(place)]
                   : nullptr;
    }

    bool scatter(NodeId id)
    {
        const Node& node = m_graph->node(id);
        const auto places = constantInts(*m_graph, input(id, 1));
        const Content* before = contentRead(id, 3);
        if (!places || before == nullptr)
            return false;
        Content content = *before;
        const std::string name = std::string(node.name()) + "/elements";
        for (std::size_t i = 0; i < places->size(); ++i) {
            std::string* place = element(content, (*places)[i]);
            if (place == nullptr)
                return false;
            *place = outputText(name, std::int32_t(i));
        }
        if (!places->empty()) {
            NodeDraft unpack = newNode(name, "Unpack", {text(input(id, 2))});
            copyAttr(node, "T", unpack);
            unpack.setAttr("num", attr::fromInt(std::int64_t(places->size())));
            unpack.setAttr("axis", attr::fromInt(0));
            m_edit.addAt(id, std::move(unpack), {id});
        }
        m_arrays[{id.value, 0}] = std::move(content);
        drop(id);
        return true;
    }

    bool write(NodeId id)
    {
        const auto index = constantInt(*m_graph, input(id, 1));
        const Content* before = contentRead(id, 3);
        if (!index || before == nullptr)
            return false;
        Content content = *before;
        std::string* place = element(content, *index);
        if (place == nullptr)
            return false;
        *place = text(input(id, 2));
        m_arrays[{id.value, 0}] = std::move(content);
        drop(id);
        return true;
    }

    bool read(NodeId id)
    {
        const auto index = constantInt(*m_graph, input(id, 1));
        const Content* content = contentRead(id, 2);
        const std::string* element = index && content ? written(*content, *index) : nullptr;
        if (element == nullptr)
            return false;
        m_reads[id.value] = *element;
        replaceByCopy(id, *element);
        return true;
    }

    // Replaces a node by a copy of an element under the same name, which readers and outputs of the
    // graph need.
    void replaceByCopy(NodeId id, const std::string& element)
    {
        NodeDraft copy = newNode(std::string(m_graph->node(id).name()), "Identity", {element});
        copyAttr(m_graph->node(id), "dtype", copy, "T");
        m_edit.replace(id, std::move(copy));
    }

    bool gather(NodeId id)
    {
        const auto places = constantInts(*m_graph, input(id, 1));
        const Content* content = contentRead(id, 2);
        if (!places || content == nullptr || places->empty())
            return false;
        std::vector<std::string> parts;
        for (const std::int32_t place : *places) {
            const std::string* element = written(*content, place);
            if (element == nullptr)
                return false;
            parts.push_back(*element);
        }
        NodeDraft pack = newNode(std::string(m_graph->node(id).name()), "Pack", std::move(parts));
        copyAttr(m_graph->node(id), "dtype", pack, "T");
        pack.setAttr("N", attr::fromInt(std::int64_t(places->size())));
        pack.setAttr("axis", attr::fromInt(0));
        m_edit.replace(id, std::move(pack));
        return true;
    }

    bool concatenate(NodeId id)
    {
        const Content* content = contentRead(id, 1);
        const bool readsLengths = std::ranges::any_of(
            m_graph->consumers(id), [](const Consumer& reader) { return reader.port == 1; });
        if (content == nullptr || readsLengths || content->elements.empty() ||
            std::ranges::any_of(content->elements, &std::string::empty))
            return false;
        const std::string name(m_graph->node(id).name());
        if (content->elements.size() == 1) {
            replaceByCopy(id, content->elements.front());
            return true;
        }
        const std::int32_t first = 0;
        m_edit.addAt(id, intConst(name + "/axis", {}, {&first, 1}), {id});
        std::vector<std::string> inputs = content->elements;
        inputs.push_back(name + "/axis");
        NodeDraft draft = newNode(name, "ConcatV2", std::move(inputs));
        copyAttr(m_graph->node(id), "dtype", draft, "T");
        draft.setAttr("N", attr::fromInt(std::int64_t(content->elements.size())));
        draft.setAttr("Tidx", attr::fromType(DType::Int32));
        m_edit.replace(id, std::move(draft));
        return true;
    }

    bool size(NodeId id)
    {
        const Content* content = contentRead(id, 1);
        if (content == nullptr)
            return false;
        const auto count = std::int32_t(content->elements.size());
        for (GraphEdit* edit : {&m_edit, &m_sizes})
            edit->replace(id, intConst(std::string(m_graph->node(id).name()), {}, {&count, 1}));
        return true;
    }

    // Follows nodes that only pass an array on; they are removed with it. Returns false if another
    // node reads the array.
    bool passOn(NodeId id)
    {
        const std::string_view op = m_graph->node(id).op();
        bool readsArray = false;
        for (const Endpoint& from : m_graph->inputs(id))
            readsArray = readsArray || (from.node.isValid() && !from.isControl() &&
                                        (contentOf(from) != nullptr ||
                                         (from.port == 0 && m_handles.contains(from.node.value))));
        if (!readsArray)
            return true;
        if (isSelect(op))
            return select(id);
        if (!isPassThrough(op) || m_graph->inputs(id).size() != 1)
            return false;
        const Endpoint from = input(id, 0);
        if (const Content* content = contentOf(from))
            m_arrays[{id.value, 0}] = Content(*content);
        else
            m_handles.insert(id.value);
        drop(id);
        return true;
    }

    // Joins the contents of two branches that wrote to the same array.
    bool select(NodeId id)
    {
        const Content* whenTrue = contentRead(id, 1);
        const Content* whenFalse = contentRead(id, 2);
        if (whenTrue == nullptr || whenFalse == nullptr ||
            whenTrue->elements.size() != whenFalse->elements.size())
            return false;
        Content content = *whenTrue;
        for (std::size_t i = 0; i < content.elements.size(); ++i)
            if (content.elements[i].empty())
                content.elements[i] = whenFalse->elements[i];
            else if (!whenFalse->elements[i].empty() &&
                     whenFalse->elements[i] != content.elements[i])
                return false;
        m_arrays[{id.value, 0}] = std::move(content);
        drop(id);
        return true;
    }

    GraphPtr m_graph;
    GraphEdit m_edit;
    GraphEdit m_sizes;                            // the edit that only makes sizes constant
    std::map<Key, Content> m_arrays;              // by the flow
    std::set<std::uint32_t> m_handles;            // nodes whose first output is a handle
    std::map<std::uint32_t, std::string> m_reads; // the result of a read of one index
};

} // namespace

NodeId arrayReadBy(const Graph& graph, NodeId reader)
{
    NodeId id = reader;
    // The number of nodes bounds the search, because a graph may have a cycle.
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (graph.inputs(id).empty())
            return {};
        id = graph.inputs(id)[0].node;
        if (!id.isValid() || graph.node(id).op() == "TensorArrayV3")
            return id;
        const std::string_view op = graph.node(id).op();
        if (!copiesInput(op) && !isEnter(op) && !isExit(op))
            return {};
    }
    return {};
}

Result<GraphPtr> settleArraySizes(const GraphPtr& graph)
{
    GraphEdit edit(graph);
    bool hasSize = false;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const Node& node = graph->node(NodeId{i});
        if (node.op() != "TensorArraySizeV3")
            continue;
        const NodeId array = arrayReadBy(*graph, NodeId{i});
        if (!array.isValid() || grows(graph->node(array)) || graph->inputs(array).empty())
            continue;
        const auto count = constantInt(*graph, graph->inputs(array)[0]);
        if (!count)
            continue;
        edit.replace(NodeId{i}, intConst(std::string(node.name()), {}, {&*count, 1}));
        hasSize = true;
    }
    if (!hasSize)
        return graph;
    ASSIGN_OR_RETURN(EditResult settled, std::move(edit).finish());
    return settled.graph;
}

Result<GraphPtr> resolveArrays(const GraphPtr& graph)
{
    return Resolving(graph).run();
}

} // namespace lapidary
