// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/array_tensors.h"

#include "graph_model/ops/op_traits.h"
#include "runner/shapes/infer_shapes.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/loops/carried_tensors.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::int64_t mostArrayBytes = 64 << 20;

using Ints = std::vector<std::int64_t>;

bool isClosed(const Shape& shape)
{
    return !shape.unknownRank &&
           std::ranges::none_of(shape.dims, [](std::int64_t dim) { return dim < 0; });
}

// Returns the slot in which an op reads the flow of an array.
std::optional<std::size_t> flowSlot(std::string_view op)
{
    if (op == "TensorArrayWriteV3" || op == "TensorArrayScatterV3")
        return 3;
    if (op == "TensorArrayReadV3" || op == "TensorArrayGatherV3")
        return 2;
    return op == "TensorArraySizeV3" ? std::optional<std::size_t>(1) : std::nullopt;
}

class ArrayTensors {
public:
    ArrayTensors(const Graph& graph, const InferredShapes& shapes)
        : m_graph(graph)
        , m_shapes(shapes)
    {
    }

    // Returns null if an array cannot be a tensor.
    GraphPtr rewrite(const std::vector<Endpoint>& outputs)
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (m_graph.node(NodeId{i}).op() == "TensorArrayV3" && !addArray(NodeId{i}))
                return nullptr;
        for (const Array& array : m_arrays)
            if (!followHandle(array.node) || !followFlow(array.node))
                return nullptr;
        const bool isGivenOut = std::ranges::any_of(outputs, [&](const Endpoint& output) {
            return m_flows.contains(keyOf(output)) || m_handles.contains(output.node.value);
        });
        if (isGivenOut || !findElements())
            return nullptr;
        return rewritten();
    }

private:
    using Key = std::pair<std::uint32_t, std::int32_t>;

    struct Array {
        NodeId node;
        std::int64_t count = 0;
        DType dtype = DType::Invalid;
        std::optional<Ints> element;
    };

    static Key keyOf(const Endpoint& tensor) { return {tensor.node.value, tensor.port}; }
    std::string_view opOf(NodeId id) const { return m_graph.node(id).op(); }

    std::optional<std::vector<std::int32_t>> constantInts(Endpoint from) const
    {
        while (from.node.isValid() && (copiesInput(opOf(from.node)) || isEnter(opOf(from.node))) &&
               !m_graph.inputs(from.node).empty())
            from = m_graph.inputs(from.node)[0];
        if (!from.node.isValid() || !isConstant(opOf(from.node)))
            return std::nullopt;
        auto values = intValues(m_graph.node(from.node));
        return values ? std::optional(*std::move(values)) : std::nullopt;
    }

    bool addArray(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const auto inputs = m_graph.inputs(id);
        const auto count = inputs.empty() ? std::nullopt : constantInts(inputs[0]);
        if (!count || count->size() != 1 || count->front() < 1)
            return false;
        Array array{id, count->front(), node.attr("dtype").asType().value_or(DType::Invalid), {}};
        const auto shape = node.attr("element_shape").asShape();
        if (shape && isClosed(*shape))
            array.element = shape->dims;
        m_arrayAt.emplace(array.node.value, m_arrays.size());
        m_arrays.push_back(std::move(array));
        return dtypeSize(m_arrays.back().dtype) > 0;
    }

    // Collects the nodes that pass the handle on, which are removed: nothing needs them any more.
    // Returns false if another node reads the handle.
    bool followHandle(NodeId array)
    {
        std::vector<NodeId> open{array};
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            if (!m_handles.insert(id.value).second)
                continue;
            for (const Consumer& reader : m_graph.consumers(id)) {
                if (id == array && reader.port != 0)
                    continue;
                if (carriesOn(opOf(reader.node)))
                    open.push_back(reader.node);
                else if (!flowSlot(opOf(reader.node)))
                    return false;
            }
        }
        return true;
    }

    bool followFlow(NodeId array)
    {
        std::vector<Endpoint> open{{array, 1}};
        while (!open.empty()) {
            const Endpoint flow = open.back();
            open.pop_back();
            const auto [known, isNew] = m_flows.try_emplace(keyOf(flow), array.value);
            if (!isNew && known->second != array.value)
                return false;
            if (!isNew)
                continue;
            for (const Consumer& reader : m_graph.consumers(flow.node)) {
                if (reader.port != flow.port)
                    continue;
                for (const std::size_t slot : slotsReading(m_graph, reader.node, flow))
                    if (!readFlow(reader.node, slot, open))
                        return false;
            }
        }
        return true;
    }

    bool readFlow(NodeId reader, std::size_t slot, std::vector<Endpoint>& open) const
    {
        const std::string_view op = opOf(reader);
        if (flowSlot(op) == slot) {
            if (op == "TensorArrayWriteV3" || op == "TensorArrayScatterV3")
                open.push_back({reader, 0});
            return true;
        }
        const auto carried = carriedTo(m_graph, reader, slot);
        open.insert(open.end(), carried.begin(), carried.end());
        return !carried.empty();
    }

    Array* arrayOf(NodeId id)
    {
        const auto slot = flowSlot(opOf(id));
        const auto inputs = m_graph.inputs(id);
        if (!slot || *slot >= inputs.size())
            return nullptr;
        const auto flow = m_flows.find(keyOf(inputs[*slot]));
        if (flow == m_flows.end())
            return nullptr;
        return &m_arrays[m_arrayAt.at(flow->second)];
    }

    // Finds the types and sizes of elements from what is written.
    bool findElements()
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const std::string_view op = opOf(NodeId{i});
            const bool isScatter = op == "TensorArrayScatterV3";
            if (!op.starts_with("TensorArray") || op == "TensorArrayV3")
                continue;
            Array* array = arrayOf(NodeId{i});
            if (array == nullptr || !fits(NodeId{i}, *array))
                return false;
            if (op != "TensorArrayWriteV3" && !isScatter)
                continue;
            const TensorLabel* value = m_shapes.find(m_graph.inputs(NodeId{i})[2]);
            if (value == nullptr || !isClosed(value->shape))
                continue;
            Ints dims = value->shape.dims;
            if (isScatter && !dims.empty())
                dims.erase(dims.begin());
            if (array->element && *array->element != dims)
                return false;
            array->element = dims;
        }
        return std::ranges::all_of(m_arrays, [](const Array& array) {
            return array.element && byteCount(array) <= mostArrayBytes;
        });
    }

    // Returns whether an op that stores or reads all elements does so in their order.
    bool fits(NodeId id, const Array& array) const
    {
        const std::string_view op = opOf(id);
        if (op != "TensorArrayScatterV3" && op != "TensorArrayGatherV3")
            return true;
        return op == "TensorArrayGatherV3" || isInOrder(id, array);
    }

    bool takesAll(NodeId id, const Array& array) const
    {
        return opOf(id) == "TensorArrayGatherV3" && isInOrder(id, array);
    }

    bool isInOrder(NodeId id, const Array& array) const
    {
        const auto places = constantInts(m_graph.inputs(id)[1]);
        std::vector<std::int32_t> all(std::size_t(array.count));
        std::iota(all.begin(), all.end(), 0);
        return places == all;
    }

    static std::int64_t byteCount(const Array& array)
    {
        std::int64_t bytes = array.count * std::int64_t(dtypeSize(array.dtype));
        for (const std::int64_t dim : *array.element)
            bytes = dim > 0 && bytes > mostArrayBytes / dim ? mostArrayBytes + 1 : bytes * dim;
        return bytes;
    }

    GraphPtr rewritten()
    {
        m_parts.versions = m_graph.versions();
        m_parts.functions = m_graph.sharedFunctions();
        for (const Array& array : m_arrays)
            addZeros(array);
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const NodeId id{i};
            if (m_handles.contains(i))
                continue;
            const auto flow = m_flows.find({i, 0});
            if (const Array* array = arrayOf(id))
                replace(id, *array);
            else if (flow != m_flows.end())
                retype(id, NodeId{flow->second});
            else
                m_parts.nodes.push_back(m_graph.nodes()[i]);
        }
        return Graph::make(std::move(m_parts));
    }

    std::string nameOf(NodeId id) const { return std::string(m_graph.node(id).name()); }

    std::string text(const Endpoint& tensor) const
    {
        if (opOf(tensor.node) == "TensorArrayV3")
            return nameOf(tensor.node) + "/zeros";
        return outputText(m_graph, tensor);
    }

    void addZeros(const Array& array)
    {
        Ints dims = *array.element;
        dims.insert(dims.begin(), array.count);
        const std::string zeros(std::size_t(byteCount(array)), '\0');
        m_parts.nodes.push_back(
            constNode(nameOf(array.node) + "/zeros", array.dtype, {dims, false}, zeros).finish());
    }

    void retype(NodeId id, NodeId array)
    {
        NodeDraft draft = NodeDraft::of(m_graph.node(id));
        draft.inputs.clear();
        for (const Endpoint& from : m_graph.inputs(id))
            draft.inputs.push_back(text(from));
        draft.setAttr("T", attr::fromType(m_arrays[m_arrayAt.at(array.value)].dtype));
        m_parts.nodes.push_back(draft.finish());
    }

    void add(std::string name, std::string_view op, std::vector<std::string> inputs,
             const std::vector<std::pair<std::string, DType>>& types)
    {
        NodeDraft draft = newNode(std::move(name), op, std::move(inputs));
        for (const auto& [attribute, dtype] : types)
            draft.setAttr(attribute, attr::fromType(dtype));
        m_parts.nodes.push_back(draft.finish());
    }

    std::string addInts(std::string name, const Ints& dims, std::vector<std::int32_t> values)
    {
        m_parts.nodes.push_back(intConst(name, dims, values).finish());
        return name;
    }

    void replace(NodeId id, const Array& array)
    {
        const std::string_view op = opOf(id);
        const auto inputs = m_graph.inputs(id);
        const std::string name = nameOf(id);
        const std::string flow = text(inputs[*flowSlot(op)]);
        if (op == "TensorArraySizeV3")
            addInts(name, {}, {std::int32_t(array.count)});
        else if (op == "TensorArrayScatterV3" || takesAll(id, array))
            add(name, "Identity", {op == "TensorArrayScatterV3" ? text(inputs[2]) : flow},
                {{"T", array.dtype}});
        else if (op == "TensorArrayWriteV3")
            addWrite(name, {flow, text(inputs[1]), text(inputs[2])}, array.dtype);
        else
            add(name, "GatherV2", {flow, text(inputs[1]), addInts(name + "/axis", {}, {0})},
                {{"Tparams", array.dtype}, {"Tindices", DType::Int32}, {"Taxis", DType::Int32}});
    }

    // `inputs`: the array, the index, the value.
    void addWrite(const std::string& name, const std::vector<std::string>& inputs, DType dtype)
    {
        add(name + "/place", "Reshape", {inputs[1], addInts(name + "/one_place", {2}, {1, 1})},
            {{"T", DType::Int32}, {"Tshape", DType::Int32}});
        add(name + "/row", "ExpandDims", {inputs[2], addInts(name + "/axis", {}, {0})},
            {{"T", dtype}, {"Tdim", DType::Int32}});
        add(name, "TensorScatterUpdate", {inputs[0], name + "/place", name + "/row"},
            {{"T", dtype}, {"Tindices", DType::Int32}});
    }

    const Graph& m_graph;
    const InferredShapes& m_shapes;
    std::vector<Array> m_arrays;
    std::unordered_map<std::uint32_t, std::size_t> m_arrayAt; // by its node
    std::set<std::uint32_t> m_handles;                        // nodes that pass only a handle on
    std::map<Key, std::uint32_t> m_flows;                     // the array that a tensor represents
    Graph::Parts m_parts;
};

bool hasArrays(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(),
                               [](const NodePtr& node) { return node->op() == "TensorArrayV3"; });
}

} // namespace

Result<GraphPtr> arraysAsTensors(const GraphPtr& graph, const std::vector<Endpoint>& outputs,
                                 const Job& job)
{
    if (!hasArrays(*graph))
        return graph;
    ASSIGN_OR_RETURN(const InferredShapes shapes, inferShapes(*graph, {}, job));
    GraphPtr rewritten = ArrayTensors(*graph, shapes).rewrite(outputs);
    return rewritten != nullptr ? rewritten : graph;
}

} // namespace lapidary
