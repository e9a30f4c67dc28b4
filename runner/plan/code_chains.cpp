// SPDX-License-Identifier: Apache-2.0
#include "runner/plan/code_chains.h"

#include "runner/kernels/quantized/fused_codes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

DType typeOf(const Node& node, std::string_view attr, DType usual)
{
    return node.attr(attr).asType().value_or(usual);
}

class Finder {
public:
    Finder(const Graph& graph, NodeId first)
        : m_graph(graph)
    {
        m_chain.op = fusedCodesOp;
        m_chain.attributes = first;
        m_chain.members = {first};
        m_chain.stageNodes = m_graph.node(first).name();
    }

    std::optional<CodeChain> find()
    {
        const std::string_view op = m_graph.node(last()).op();
        const bool isConvolution = op == "QuantizedConv2D";
        const bool isSum = op == "QuantizedAdd" || op == "QuantizedBiasAdd";
        if (!(isConvolution && isConvolutionOfBytes()) && !(isSum && isSumOfBytes()))
            return std::nullopt;
        if (!takeInputs(m_chain, last(), {0, 1, 2, 3, 4, 5}))
            return std::nullopt;
        m_chain.weights = {isConvolution ? operationsOf(last()) : 1};
        if (isSum)
            m_chain.stages = op == "QuantizedAdd" ? code_stages::add : code_stages::biased;
        auto requantized = requantizedBehind(m_chain);
        if (!requantized)
            return std::nullopt;
        m_chain = std::move(*requantized);
        auto biased = isConvolution ? biasedBehind(m_chain) : std::nullopt;
        if (biased)
            m_chain = std::move(*biased);
        addRelu();
        return m_chain;
    }

private:
    static constexpr std::size_t mostReaders = 2; // a node, and the one that computes its range

    // Slots of the reader, in the order of the ports.
    using Slots = std::array<std::uint32_t, 3>;

    NodeId last() const { return m_chain.members.back(); }

    bool isConvolutionOfBytes() const
    {
        const Node& node = m_graph.node(last());
        return typeOf(node, "Tinput", DType::Invalid) == DType::QUInt8 &&
               typeOf(node, "Tfilter", DType::Invalid) == DType::QUInt8 &&
               typeOf(node, "out_type", DType::QInt32) == DType::QInt32;
    }

    bool isSumOfBytes() const
    {
        const Node& node = m_graph.node(last());
        return typeOf(node, "T1", DType::Invalid) == DType::QUInt8 &&
               typeOf(node, "T2", DType::Invalid) == DType::QUInt8 &&
               typeOf(node, node.op() == "QuantizedAdd" ? "Toutput" : "out_type", DType::QInt32) ==
                   DType::QInt32;
    }

    double operationsOf(NodeId convolution) const
    {
        constexpr double usual = 512;
        constexpr double gain = 0.25; // cost of a byte relative to a float
        const auto inputs = m_graph.inputs(convolution);
        const auto tensor = m_graph.node(inputs[1].node).tensor();
        if (!tensor || tensor.value().shape().unknownRank ||
            tensor.value().shape().dims.size() != 4)
            return usual;
        const auto& dims = tensor.value().shape().dims;
        return gain * 2.0 * double(dims[0]) * double(dims[1]) * double(dims[2]);
    }

    bool takeInputs(CodeChain& chain, NodeId node, const std::vector<std::size_t>& slots) const
    {
        const auto inputs = m_graph.inputs(node);
        for (const std::size_t slot : slots) {
            if (slot >= inputs.size() || inputs[slot].isControl() || !inputs[slot].node.isValid())
                return false;
            chain.inputs.emplace_back(m_graph.node(node).inputs()[slot].text);
        }
        return true;
    }

    void add(CodeChain& chain, NodeId node, std::string_view stage, double weight) const
    {
        chain.members.push_back(node);
        chain.weights.push_back(weight);
        if (stage.empty())
            return;
        chain.stages += chain.stages.empty() ? "" : ",";
        chain.stages += stage;
        chain.stageNodes += stageNodesMark;
        chain.stageNodes += m_graph.node(node).name();
    }

    // Returns the nodes of these ops that read the last member's values, min and max at these
    // slots; nothing if another node reads one of these outputs, or if there are more than two.
    std::optional<std::vector<NodeId>> readers(NodeId node, const std::vector<std::string>& ops,
                                               const Slots& slots) const
    {
        std::vector<NodeId> found;
        std::vector<std::size_t> edges;
        for (const Consumer& reader : m_graph.consumers(node)) {
            if (reader.isControl() || reader.port >= int(slots.size()) ||
                reader.slot != slots[std::size_t(reader.port)] ||
                std::ranges::find(ops, m_graph.node(reader.node).op()) == ops.end())
                return std::nullopt;
            const auto at = std::ranges::find(found, reader.node);
            if (at == found.end()) {
                if (found.size() == mostReaders)
                    return std::nullopt;
                found.push_back(reader.node);
                edges.push_back(1);
            } else {
                ++edges[std::size_t(at - found.begin())];
            }
        }
        const auto isWhole = [&](std::size_t count) { return count == slots.size(); };
        return std::ranges::all_of(edges, isWhole) ? std::optional(found) : std::nullopt;
    }

    // Returns whether both outputs are only read by the slots of the node for the requested range.
    bool asks(NodeId range, NodeId requantize) const
    {
        const auto consumers = m_graph.consumers(range);
        return consumers.size() == 2 && std::ranges::all_of(consumers, [&](const Consumer& c) {
                   return c.node == requantize && c.port >= 0 && int(c.slot) == c.port + 3;
               });
    }

    // Returns the chain with the nodes that requantize the sums.
    std::optional<CodeChain> requantizedBehind(CodeChain chain) const
    {
        constexpr double weight = 3;
        const auto found =
            readers(chain.members.back(), {"Requantize", "RequantizationRange"}, {0, 1, 2});
        if (!found || found->empty())
            return std::nullopt;
        NodeId requantize;
        NodeId range;
        for (const NodeId node : *found)
            (m_graph.node(node).op() == "Requantize" ? requantize : range) = node;
        if (!requantize.isValid() || range.isValid() != (found->size() == 2) ||
            (range.isValid() && !asks(range, requantize)))
            return std::nullopt;
        const Node& node = m_graph.node(requantize);
        if (typeOf(node, "Tinput", DType::Invalid) != DType::QInt32 ||
            typeOf(node, "out_type", DType::Invalid) != DType::QUInt8)
            return std::nullopt;
        if (!range.isValid() && !takeInputs(chain, requantize, {3, 4}))
            return std::nullopt;
        if (range.isValid())
            add(chain, range, "", 1);
        add(chain, requantize, range.isValid() ? code_stages::shrink : code_stages::requantize,
            weight);
        return chain;
    }

    std::optional<CodeChain> biasedBehind(CodeChain chain) const
    {
        const auto found = readers(chain.members.back(), {"QuantizedBiasAdd"}, {0, 2, 3});
        if (!found || found->size() != 1)
            return std::nullopt;
        const Node& node = m_graph.node(found->front());
        if (typeOf(node, "T1", DType::Invalid) != DType::QUInt8 ||
            typeOf(node, "T2", DType::Invalid) != DType::QUInt8 ||
            typeOf(node, "out_type", DType::QInt32) != DType::QInt32 ||
            !takeInputs(chain, found->front(), {1, 4, 5}))
            return std::nullopt;
        add(chain, found->front(), code_stages::bias, 2);
        return requantizedBehind(std::move(chain));
    }

    void addRelu()
    {
        const auto found = readers(last(), {"QuantizedRelu", "QuantizedRelu6"}, {0, 1, 2});
        if (!found || found->size() != 1)
            return;
        const Node& node = m_graph.node(found->front());
        if (typeOf(node, "Tinput", DType::Invalid) == DType::QUInt8 &&
            typeOf(node, "out_type", DType::QUInt8) == DType::QUInt8)
            add(m_chain, found->front(),
                node.op() == "QuantizedRelu" ? code_stages::relu : code_stages::relu6, 1);
    }

    const Graph& m_graph;
    CodeChain m_chain;
};

} // namespace

std::optional<CodeChain> codeChainFrom(const Graph& graph, NodeId first)
{
    return Finder(graph, first).find();
}

} // namespace lapidary
