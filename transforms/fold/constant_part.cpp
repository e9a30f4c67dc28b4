// SPDX-License-Identifier: Apache-2.0
#include "transforms/fold/constant_part.h"

#include "graph_model/binding/bind_node.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

constexpr std::array neverFolded{
    std::string_view("DeleteSessionTensor"),
    std::string_view("FakeParam"),
    std::string_view("GetSessionHandle"),
    std::string_view("GetSessionHandleV2"),
    std::string_view("GetSessionTensor"),
    std::string_view("_HostRecv"),
    std::string_view("_HostSend"),
    std::string_view("_Recv"),
    std::string_view("_Send"),
};

// Returns whether an op is on the list, controls the flow or has no value before it is fed.
// LoopCond may be folded, as in TensorFlow: it only copies.
bool isNeverFolded(std::string_view op)
{
    const bool isFlow = controlFlow(op) != ControlFlow::None && !isLoopCond(op);
    return isFlow || (isPlaceholder(op) && op != "PlaceholderWithDefault") ||
           std::ranges::binary_search(neverFolded, op);
}

class PartFinder {
public:
    PartFinder(const Graph& graph, const FoldRequest& request, const InferredShapes& shapes,
               const FoldLimits& limits)
        : m_graph(graph)
        , m_request(request)
        , m_shapes(shapes)
        , m_limits(limits)
    {
        m_part.isConstant.resize(graph.size(), false);
    }

    void visit(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const bool isShape = readShape(id);
        if (!isShape && !(hasConstantInputs(id) && mayFold(node)))
            return;
        m_part.isConstant[id.value] = true;
        m_part.hasWork = m_part.hasWork || node.op() != "Const";
        collectWaits(id);
    }

    ConstantPart take() && { return std::move(m_part); }

private:
    bool mayFold(const Node& node) const
    {
        if (node.op() == "Const")
            return node.attr("dtype").asType() != DType::Resource;
        const OpSpec* op = findOp(node.op());
        if (op == nullptr || op->isStateful || findKernel(node.op()) == nullptr)
            return false;
        return !m_limits.excludedOps.contains(node.op()) &&
               !m_limits.excludedNodes.contains(node.name()) && !isNeverFolded(node.op()) &&
               bindAttrs(node).ok() && checkRegisteredTypes(node).ok();
    }

    bool hasConstantInputs(NodeId id) const
    {
        return std::ranges::all_of(m_graph.inputs(id), [&](const Endpoint& from) {
            return from.isControl() || isConstant(from);
        });
    }

    bool isConstant(const Endpoint& from) const
    {
        return from.node.isValid() && m_part.isConstant[from.node.value] &&
               !m_request.isFed(m_graph, from);
    }

    void collectWaits(NodeId id)
    {
        std::vector<NodeId> waits;
        for (const Endpoint& from : m_graph.inputs(id)) {
            if (!isConstant(from)) {
                waits.push_back(from.node);
                continue;
            }
            const auto known = m_part.waitsFor.find(from.node);
            if (known != m_part.waitsFor.end())
                waits.insert(waits.end(), known->second.begin(), known->second.end());
        }
        std::ranges::sort(waits);
        waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
        if (!waits.empty())
            m_part.waitsFor[id] = std::move(waits);
    }

    // Stores the value of a node that asks for a shape which is known without a run. Returns false
    // for other nodes.
    bool readShape(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const bool isSize = node.op() == "Size";
        const bool isRank = node.op() == "Rank";
        if (!isSize && !isRank && node.op() != "Shape" && node.op() != "ShapeN")
            return false;
        const bool isWide = node.attr("out_type").asType() == DType::Int64;
        std::vector<std::vector<std::int64_t>> values;
        for (const Endpoint& from : m_graph.inputs(id)) {
            if (from.isControl())
                continue;
            const TensorLabel* label = m_shapes.find(from);
            if (label == nullptr || label->shape.unknownRank ||
                (!isRank && !isFullyKnown(label->shape)))
                return false;
            values.push_back(isRank   ? std::vector{std::int64_t(label->shape.dims.size())}
                             : isSize ? std::vector{elements(label->shape)}
                                      : label->shape.dims);
            if (!isWide && !isRank && !std::ranges::all_of(values.back(), fitsInt32))
                return false;
        }
        m_part.shapes[id] = std::move(values);
        return true;
    }

    static bool fitsInt32(std::int64_t value)
    {
        return value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
    }

    // Returns -1 if the product does not fit into 64 bits.
    static std::int64_t elements(const Shape& shape)
    {
        std::int64_t count = 1;
        for (const std::int64_t dim : shape.dims)
            if (__builtin_mul_overflow(count, dim, &count))
                return -1;
        return count;
    }

    const Graph& m_graph;
    const FoldRequest& m_request;
    const InferredShapes& m_shapes;
    const FoldLimits& m_limits;
    ConstantPart m_part;
};

} // namespace

ConstantPart findConstantPart(const Graph& graph, const std::vector<NodeId>& order,
                              const FoldRequest& request, const InferredShapes& shapes,
                              const FoldLimits& limits)
{
    PartFinder finder(graph, request, shapes, limits);
    for (const NodeId id : order)
        finder.visit(id);
    return std::move(finder).take();
}

} // namespace lapidary
