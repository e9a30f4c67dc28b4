// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/lists_as_arrays.h"

#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/loops/carried_tensors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace lapidary {
namespace {

bool makesList(std::string_view op)
{
    return op == "TensorListReserve" || op == "EmptyTensorList" || op == "TensorListFromTensor";
}

// Returns whether the output of an op is the list that it reads, changed.
bool changesList(std::string_view op)
{
    return op == "TensorListSetItem" || op == "TensorListPushBack" || op == "TensorListResize";
}

bool readsList(std::string_view op)
{
    return op == "TensorListGetItem" || op == "TensorListStack" || op == "TensorListGather" ||
           op == "TensorListLength" || op == "TensorListConcat" || op == "TensorListConcatV2";
}

// A list that becomes an array: the node that makes it, and its tensors.
class ListSearch {
public:
    using Key = std::pair<std::uint32_t, std::int32_t>;

    explicit ListSearch(const Graph& graph)
        : m_graph(graph)
    {
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            if (makesList(graph.node(NodeId{i}).op()))
                follow(NodeId{i});
        std::erase_if(m_lists,
                      [&](const auto& list) { return m_refused.contains(list.second.value); });
    }

    bool isEmpty() const { return m_lists.empty(); }
    // Returns whether the list that the node makes becomes longer.
    bool grows(NodeId source) const { return m_growing.contains(source.value); }
    // Returns the node that makes the list in a tensor.
    std::optional<NodeId> listOf(const Endpoint& tensor) const
    {
        const auto found = m_lists.find({tensor.node.value, tensor.port});
        return found == m_lists.end() ? std::nullopt : std::optional(found->second);
    }

private:
    void follow(NodeId source)
    {
        std::vector<Endpoint> open{{source, 0}};
        while (!open.empty()) {
            const Endpoint list = open.back();
            open.pop_back();
            const auto [known, isNew] = m_lists.try_emplace({list.node.value, list.port}, source);
            if (!isNew && known->second != source) {
                m_refused.insert(source.value);
                m_refused.insert(known->second.value);
            }
            if (!isNew)
                continue;
            for (const Consumer& reader : m_graph.consumers(list.node))
                if (reader.port == list.port)
                    for (const std::size_t slot : slotsReading(m_graph, reader.node, list))
                        read(source, reader.node, slot, open);
        }
    }

    void read(NodeId source, NodeId reader, std::size_t slot, std::vector<Endpoint>& open)
    {
        const std::string_view op = m_graph.node(reader).op();
        if (slot == 0 && readsList(op))
            return;
        if (slot == 0 && changesList(op)) {
            open.push_back({reader, 0});
            if (op != "TensorListSetItem")
                m_growing.insert(source.value);
            if (op == "TensorListResize" && !makesRoomForOne(reader))
                m_refused.insert(source.value);
            return;
        }
        const auto carried = carriedTo(m_graph, reader, slot);
        if (carried.empty())
            m_refused.insert(source.value);
        open.insert(open.end(), carried.begin(), carried.end());
    }

    // Returns whether a resize to index + 1 elements precedes a write to that index, which makes
    // the list longer; other sizes may cut it off.
    bool makesRoomForOne(NodeId resize) const
    {
        const auto inputs = m_graph.inputs(resize);
        NodeId size = inputs.size() < 2 ? NodeId() : inputs[1].node;
        for (std::size_t i = 0; i < m_graph.size() && size.isValid() &&
                                carriesOn(m_graph.node(size).op()) && !m_graph.inputs(size).empty();
             ++i)
            size = m_graph.inputs(size)[0].node;
        if (!size.isValid() || !m_graph.node(size).op().starts_with("Add"))
            return false;
        return std::ranges::any_of(m_graph.inputs(size), [&](const Endpoint& from) {
            if (!from.node.isValid() || !isConstant(m_graph.node(from.node).op()))
                return false;
            const auto value = intValues(m_graph.node(from.node));
            return value && *value == std::vector<std::int32_t>{1};
        });
    }

    const Graph& m_graph;
    std::map<Key, NodeId> m_lists;
    std::set<std::uint32_t> m_refused; // sources
    std::set<std::uint32_t> m_growing; // sources, too
};

class ListRewriting {
public:
    ListRewriting(const Graph& graph, const ListSearch& lists)
        : m_graph(graph)
        , m_lists(lists)
    {
    }

    GraphPtr rewrite()
    {
        m_parts.versions = m_graph.versions();
        m_parts.functions = m_graph.sharedFunctions();
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            rewrite(NodeId{i});
        return Graph::make(std::move(m_parts));
    }

private:
    std::string nameOf(NodeId id) const { return std::string(m_graph.node(id).name()); }

    // Returns the name of a new node beside another one, which no node has yet.
    std::string beside(NodeId id, std::string_view what) const
    {
        std::string name = nameOf(id) + "/" + std::string(what);
        while (m_graph.find(name).isValid())
            name += "_";
        return name;
    }

    std::string text(const Endpoint& tensor) const { return outputText(m_graph, tensor); }
    std::string input(NodeId id, std::size_t slot) const
    {
        const auto inputs = m_graph.inputs(id);
        return slot < inputs.size() ? text(inputs[slot]) : std::string();
    }

    void rewrite(NodeId id)
    {
        const std::string_view op = m_graph.node(id).op();
        const auto inputs = m_graph.inputs(id);
        const auto made = m_lists.listOf({id, 0});
        const auto read = inputs.empty() ? std::nullopt : m_lists.listOf(inputs[0]);
        if (made && makesList(op))
            makeArray(id);
        else if (read && changesList(op))
            write(id, *read);
        else if (read && readsList(op))
            take(id, *read);
        else if (made || m_lists.listOf({id, 1}))
            retype(id);
        else
            m_parts.nodes.push_back(m_graph.nodes()[id.value]);
    }

    NodeDraft& add(std::string name, std::string_view op, std::vector<std::string> inputs)
    {
        m_drafts.push_back(newNode(std::move(name), op, std::move(inputs)));
        return m_drafts.back();
    }

    void finish()
    {
        for (const NodeDraft& draft : m_drafts)
            m_parts.nodes.push_back(draft.finish());
        m_drafts.clear();
    }

    std::string addInt(std::string name, std::int32_t value)
    {
        m_drafts.push_back(intConst(name, {}, {&value, 1}));
        return name;
    }

    std::string arrayOf(NodeId source) const { return beside(source, "array"); }

    static void setTypes(NodeDraft& draft,
                         std::initializer_list<std::pair<std::string_view, DType>> types)
    {
        for (const auto& [name, dtype] : types)
            draft.setAttr(name, attr::fromType(dtype));
    }

    // Returns the sizes of an element, as far as the node declares them.
    std::optional<Shape> elementShape(NodeId source) const
    {
        const std::size_t slot = m_graph.node(source).op() == "TensorListFromTensor" ? 1 : 0;
        const auto inputs = m_graph.inputs(source);
        if (slot >= inputs.size() || !inputs[slot].node.isValid() ||
            !isConstant(m_graph.node(inputs[slot].node).op()))
            return std::nullopt;
        const Node& sizes = m_graph.node(inputs[slot].node);
        const auto values = intValues(sizes);
        if (!values || constDims(sizes).size() != 1)
            return std::nullopt;
        return Shape{{values->begin(), values->end()}, false};
    }

    // Adds `count` indices from 0 on.
    std::string addPlaces(NodeId id, const std::string& count)
    {
        std::vector<std::string> inputs{addInt(beside(id, "first"), 0), count,
                                        addInt(beside(id, "one"), 1)};
        std::string name = beside(id, "places");
        setTypes(add(name, "Range", std::move(inputs)), {{"Tidx", DType::Int32}});
        return name;
    }

    std::string addSize(NodeId id, NodeId source)
    {
        std::string name = beside(id, "size");
        add(name, "TensorArraySizeV3", {arrayOf(source), input(id, 0)});
        return name;
    }

    // Adds the first size of a tensor that a node reads.
    std::string addLength(NodeId id)
    {
        std::vector<std::string> inputs{beside(id, "sizes"), addInt(beside(id, "place"), 0),
                                        addInt(beside(id, "axis"), 0)};
        NodeDraft& sizes = add(inputs[0], "Shape", {input(id, 0)});
        copyAttr(m_graph.node(id), "element_dtype", sizes, "T");
        setTypes(sizes, {{"out_type", DType::Int32}});
        std::string name = beside(id, "length");
        setTypes(add(name, "GatherV2", std::move(inputs)),
                 {{"Tparams", DType::Int32}, {"Tindices", DType::Int32}, {"Taxis", DType::Int32}});
        return name;
    }

    void makeArray(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const bool isFull = node.op() == "TensorListFromTensor";
        const bool isEmpty = node.op() == "EmptyTensorList";
        const std::string array = arrayOf(id);
        const std::string count = isFull    ? addLength(id)
                                  : isEmpty ? addInt(beside(id, "none"), 0)
                                            : input(id, 1);
        NodeDraft& made = add(array, "TensorArrayV3", {count});
        copyAttr(node, "element_dtype", made, "dtype");
        made.setAttr("dynamic_size", attr::fromBool(isEmpty || m_lists.grows(id)));
        made.setAttr("clear_after_read", attr::fromBool(false));
        if (const auto shape = elementShape(id))
            made.setAttr("element_shape", attr::fromShape(*shape));
        const std::string flow = outputText(array, 1);
        if (isFull)
            copyAttr(node, "element_dtype",
                     add(nameOf(id), "TensorArrayScatterV3",
                         {array, addPlaces(id, count), input(id, 0), flow}),
                     "T");
        else
            setTypes(add(nameOf(id), "Identity", {flow}), {{"T", DType::Float}});
        finish();
    }

    void write(NodeId id, NodeId source)
    {
        if (m_graph.node(id).op() == "TensorListResize") { // the next write does that
            setTypes(add(nameOf(id), "Identity", {input(id, 0)}), {{"T", DType::Float}});
            return finish();
        }
        const bool isBehind = m_graph.node(id).op() == "TensorListPushBack";
        const std::string place = isBehind ? addSize(id, source) : input(id, 1);
        copyAttr(m_graph.node(id), "element_dtype",
                 add(nameOf(id), "TensorArrayWriteV3",
                     {arrayOf(source), place, input(id, isBehind ? 1 : 2), input(id, 0)}),
                 "T");
        finish();
    }

    void take(NodeId id, NodeId source)
    {
        const Node& node = m_graph.node(id);
        const std::string array = arrayOf(source);
        const std::string flow = input(id, 0);
        if (node.op() == "TensorListLength") {
            add(nameOf(id), "TensorArraySizeV3", {array, flow});
        } else if (node.op().starts_with("TensorListConcat")) {
            copyAttr(node, "element_dtype", add(nameOf(id), "TensorArrayConcatV3", {array, flow}),
                     "dtype");
        } else if (node.op() == "TensorListGetItem") {
            copyAttr(node, "element_dtype",
                     add(nameOf(id), "TensorArrayReadV3", {array, input(id, 1), flow}), "dtype");
        } else {
            const std::string places =
                node.op() == "TensorListGather" ? input(id, 1) : addPlaces(id, addSize(id, source));
            copyAttr(node, "element_dtype",
                     add(nameOf(id), "TensorArrayGatherV3", {array, places, flow}), "dtype");
        }
        finish();
    }

    // Makes nodes that pass a list on pass the flow of its array on.
    void retype(NodeId id)
    {
        NodeDraft draft = NodeDraft::of(m_graph.node(id));
        setTypes(draft, {{"T", DType::Float}});
        draft.removeAttr("_output_shapes");
        m_parts.nodes.push_back(draft.finish());
    }

    const Graph& m_graph;
    const ListSearch& m_lists;
    std::vector<NodeDraft> m_drafts; // new nodes that replace one node
    Graph::Parts m_parts;
};

} // namespace

Result<GraphPtr> listsAsArrays(const GraphPtr& graph)
{
    const ListSearch lists(*graph);
    return lists.isEmpty() ? graph : ListRewriting(*graph, lists).rewrite();
}

} // namespace lapidary
