// SPDX-License-Identifier: Apache-2.0
#include "runner/plan/real_chains.h"

#include "graph_model/ops/op_traits.h"
#include "runner/kernels/quantized/fused_codes.h"
#include "runner/kernels/quantized/fused_reals.h"
#include "runner/plan/filter_sizes.h"

#include <algorithm>

namespace lapidary {
namespace {

struct RealStage {
    int place = 0; // position in the order of stages
    std::string_view name;
    std::optional<std::size_t> slot; // input with the numbers
};

class RealFinder {
public:
    RealFinder(const Graph& graph, NodeId first, const std::vector<bool>& taken)
        : m_graph(graph)
        , m_taken(taken)
    {
        m_chain.op = fusedRealsOp;
        m_chain.attributes = first;
        m_chain.members = {first};
        m_chain.stageNodes = m_graph.node(first).name();
    }

    std::optional<CodeChain> find()
    {
        if (!beginsWithCodes() && !beginsWithDepthwise())
            return std::nullopt;
        int place = 0;
        for (;;) {
            const auto next = onlyReader();
            const auto stage = next ? stageOf(*next) : std::nullopt;
            if (!stage || stage->place <= place)
                break;
            place = stage->place;
            add(*next, stage->name);
            m_hasSum = m_hasSum || stage->name == real_stages::sum;
            if (stage->slot)
                takeInput(*next, *stage->slot);
        }
        const bool isWorth = m_chain.members.size() > 1;
        return isWorth ? std::optional(std::move(m_chain)) : std::nullopt;
    }

private:
    const Node& node(NodeId id) const { return m_graph.node(id); }
    NodeId last() const { return m_chain.members.back(); }

    static bool isData(const Endpoint& at) { return at.node.isValid() && !at.isControl(); }

    DType typeOf(NodeId id, std::string_view attr, DType usual) const
    {
        return node(id).attr(attr).asType().value_or(usual);
    }

    void takeInput(NodeId id, std::size_t slot)
    {
        m_chain.inputs.emplace_back(node(id).inputs()[slot].text);
    }

    void add(NodeId id, std::string_view stage)
    {
        m_chain.members.push_back(id);
        m_chain.weights.push_back(1);
        m_chain.stages += ',';
        m_chain.stages += stage;
        if (stage == real_stages::sum)
            m_chain.stageNodes += stageNodesMark + std::string(node(id).name());
    }

    void begin(std::size_t inputs, const Dims& filter, std::string_view stage, double weight)
    {
        for (std::size_t slot = 0; slot < inputs; ++slot)
            takeInput(last(), slot);
        m_chain.stages = stage;
        m_chain.weights = {weight * 2.0 * double(filter[0]) * double(filter[1])};
    }

    bool hasInputs(NodeId id, std::size_t count) const
    {
        const auto inputs = m_graph.inputs(id);
        return inputs.size() >= count && std::ranges::all_of(inputs.first(count), isData);
    }

    std::optional<Dims> constantDims(const Endpoint& at) const
    {
        if (!isData(at) || node(at.node).op() != "Const" || !m_graph.inputs(at.node).empty())
            return std::nullopt;
        const auto tensor = node(at.node).tensor();
        if (!tensor || tensor.value().shape().unknownRank)
            return std::nullopt;
        return tensor.value().shape().dims;
    }

    bool beginsWithCodes()
    {
        constexpr double gain = 0.25; // cost of a byte relative to a float
        const NodeId first = last();
        if (node(first).op() != "QuantizedConv2D" ||
            typeOf(first, "Tinput", DType::Invalid) != DType::QUInt8 ||
            typeOf(first, "Tfilter", DType::Invalid) != DType::QUInt8 ||
            typeOf(first, "out_type", DType::QInt32) != DType::QInt32 || !hasInputs(first, 6))
            return false;
        const auto filter = constantDims(m_graph.inputs(first)[1]);
        const auto real = dequantizeBehind(first);
        if (!filter || filter->size() != 4 || !real)
            return false;
        m_channels = (*filter)[3];
        begin(6, *filter, real_stages::codes, gain * double((*filter)[2]));
        m_isOfCodes = true;
        m_chain.members.push_back(*real);
        m_chain.weights.push_back(2);
        return true;
    }

    // Returns the Dequantize that is the only reader of the sums and their range.
    std::optional<NodeId> dequantizeBehind(NodeId convolution) const
    {
        const auto readers = m_graph.consumers(convolution);
        if (readers.size() != 3)
            return std::nullopt;
        const NodeId reader = readers[0].node;
        const bool isOnly = std::ranges::all_of(readers, [&](const Consumer& c) {
            return c.node == reader && !c.isControl() && c.slot == std::uint32_t(c.port);
        });
        if (!isOnly || node(reader).op() != "Dequantize" ||
            typeOf(reader, "T", DType::Invalid) != DType::QInt32 ||
            node(reader).attr("mode").asString().value_or("MIN_COMBINED") != "MIN_FIRST")
            return std::nullopt;
        return reader;
    }

    bool beginsWithDepthwise()
    {
        const NodeId first = last();
        if (node(first).op() != "DepthwiseConv2dNative" || !isFloatNhwc(first) ||
            !hasInputs(first, 2))
            return false;
        const auto filter = scaledCodes(m_graph.inputs(first)[1]);
        if (!canBePacked(filter))
            return false;
        m_channels = (*filter)[2] * (*filter)[3];
        begin(2, *filter, real_stages::depthwise, 1);
        return true;
    }

    // Returns the sizes of a constant that is stored as codes and multiplied by a smaller constant.
    std::optional<Dims> scaledCodes(const Endpoint& at) const
    {
        if (!isData(at) || node(at.node).op() != "Mul" || !hasInputs(at.node, 2))
            return std::nullopt;
        const auto factors = m_graph.inputs(at.node);
        const std::size_t coded = node(factors[0].node).op() == "Dequantize" ? 0 : 1;
        const NodeId real = factors[coded].node;
        if (node(real).op() != "Dequantize" || !hasInputs(real, 3))
            return std::nullopt;
        auto codes = constantDims(m_graph.inputs(real)[0]);
        const auto scale = constantDims(factors[1 - coded]);
        if (!codes || !scale || scale->size() > codes->size())
            return std::nullopt;
        for (std::size_t i = 1; i <= scale->size(); ++i) {
            const std::int64_t size = (*scale)[scale->size() - i];
            if (size != 1 && size != (*codes)[codes->size() - i])
                return std::nullopt;
        }
        return codes;
    }

    bool isFloatNhwc(NodeId id) const
    {
        return typeOf(id, "T", DType::Invalid) == DType::Float &&
               node(id).attr("data_format").asString().value_or("NHWC") == "NHWC";
    }

    std::optional<NodeId> onlyReader() const
    {
        const auto readers = m_graph.consumers(last());
        if (readers.size() != 1 || readers[0].port != 0 || m_taken[readers[0].node.value])
            return std::nullopt;
        return readers[0].node;
    }

    // Returns whether the tensor is a constant with a number for each channel or, unless
    // `isVector`, one for all.
    bool isByChannel(const Endpoint& at, bool isVector) const
    {
        const auto dims = constantDims(at);
        if (!dims || dims->size() > 4 || typeOf(at.node, "dtype", DType::Invalid) != DType::Float)
            return false;
        if (isVector)
            return *dims == Dims{m_channels};
        return std::ranges::all_of(dims->begin(), dims->empty() ? dims->end() : dims->end() - 1,
                                   [](std::int64_t size) { return size == 1; }) &&
               (dims->empty() || dims->back() == 1 || dims->back() == m_channels);
    }

    std::optional<RealStage> stageOf(NodeId id) const
    {
        const std::string_view op = node(id).op();
        if (typeOf(id, "T", DType::Invalid) != DType::Float)
            return std::nullopt;
        if (op == "Relu")
            return RealStage{4, real_stages::relu, {}};
        if (op == "Relu6")
            return RealStage{4, real_stages::relu6, {}};
        if (!hasInputs(id, 2))
            return std::nullopt;
        const auto inputs = m_graph.inputs(id);
        const std::size_t other = inputs[0].node == last() ? 1 : 0;
        const bool isBias = op == "BiasAdd" || op == "BiasAddV1";
        const bool isAdd = isAddition(op);
        if (!isByChannel(inputs[other], isBias))
            return isAdd && m_isOfCodes ? std::optional(RealStage{3, real_stages::sum, other})
                                        : std::nullopt;
        if (op == "Mul")
            return RealStage{1, real_stages::scale, other};
        if (isAdd || (isBias && other == 1 && isFloatNhwc(id)))
            return RealStage{2, real_stages::shift, other};
        if (op == "Minimum" && other == 1 && !m_hasSum)
            return RealStage{5, real_stages::clip, other};
        return std::nullopt;
    }

    const Graph& m_graph;
    const std::vector<bool>& m_taken;
    CodeChain m_chain;
    std::int64_t m_channels = 0;
    bool m_isOfCodes = false;
    bool m_hasSum = false;
};

} // namespace

std::optional<CodeChain> realChainFrom(const Graph& graph, NodeId first,
                                       const std::vector<bool>& taken)
{
    return RealFinder(graph, first, taken).find();
}

} // namespace lapidary
