// SPDX-License-Identifier: Apache-2.0
#include "runner/plan/range_chains.h"

#include "runner/kernels/quantized/fused_codes.h"

namespace lapidary {
namespace {

class RangeFinder {
public:
    RangeFinder(const Graph& graph, NodeId quantize)
        : m_graph(graph)
        , m_quantize(quantize)
    {
    }

    std::optional<CodeChain> find() const
    {
        const auto inputs = m_graph.inputs(m_quantize);
        if (inputs.size() < 3 || !isData(inputs[0]))
            return std::nullopt;
        const auto least = extreme(inputs[1], "Min", 1);
        const auto most = extreme(inputs[2], "Max", 2);
        if (!least || !most || *least != *most || !isVectorOf(*least, inputs[0]))
            return std::nullopt;
        return CodeChain{
            .op = fusedRangeOp,
            .members = {*least, inputs[2].node, inputs[1].node, m_quantize},
            .weights = {0, 1, 1, 2},
            .inputs = {std::string(m_graph.node(m_quantize).inputs()[0].text)},
            .stages = {},
            .stageNodes = {},
            .attributes = m_quantize,
        };
    }

private:
    static bool isData(const Endpoint& at) { return at.node.isValid() && !at.isControl(); }

    // Returns the node whose first output this op reduces to one number for the input `slot`.
    std::optional<NodeId> extreme(const Endpoint& at, std::string_view op, std::uint32_t slot) const
    {
        if (!isData(at) || m_graph.node(at.node).op() != op)
            return std::nullopt;
        const auto readers = m_graph.consumers(at.node);
        const auto inputs = m_graph.inputs(at.node);
        const bool isOurs = readers.size() == 1 && readers[0].node == m_quantize &&
                            readers[0].slot == slot && readers[0].port == 0;
        if (!isOurs || inputs.size() != 2 || !isData(inputs[0]) || inputs[0].port != 0 ||
            !isNumber(inputs[1], 0))
            return std::nullopt;
        return inputs[0].node;
    }

    // Returns whether the node is a Reshape of `x` to [-1] that two nodes read.
    bool isVectorOf(NodeId reshape, const Endpoint& x) const
    {
        const auto inputs = m_graph.inputs(reshape);
        return m_graph.node(reshape).op() == "Reshape" &&
               m_graph.node(reshape).attr("T").asType() == DType::Float && inputs.size() == 2 &&
               inputs[0] == x && isNumber(inputs[1], -1) && m_graph.consumers(reshape).size() == 2;
    }

    // Returns whether the tensor is a constant with only this number.
    bool isNumber(const Endpoint& at, double number) const
    {
        if (!isData(at) || m_graph.node(at.node).op() != "Const")
            return false;
        const auto tensor = m_graph.node(at.node).tensor();
        if (!tensor || tensor.value().elements() != 1 || tensor.value().shape().unknownRank ||
            tensor.value().shape().dims.size() > 1)
            return false;
        const auto numbers = tensor.value().numbers(0, 1);
        return numbers && numbers.value() == std::vector<double>{number};
    }

    const Graph& m_graph;
    NodeId m_quantize;
};

} // namespace

std::optional<CodeChain> rangeChainTo(const Graph& graph, NodeId quantize)
{
    return RangeFinder(graph, quantize).find();
}

} // namespace lapidary
