// SPDX-License-Identifier: Apache-2.0
// Each convolution and product, in the order of the graph, absorbs the nodes after it as long as
//   - the last node has one output that is read, by one data edge, and is not a control input,
//   - the next node can be applied while the sums are stored.
// The last node of the chain is then replaced by one node that does the work of all.
#include "runner/plan/fusion.h"

#include "graph_model/graph/graph_edit.h"
#include "graph_model/ops/op_traits.h"
#include "runner/kernels/convolution/fused_convolution.h"
#include "runner/kernels/fused_head.h"
#include "runner/kernels/linear/fused_product.h"
#include "runner/plan/filter_sizes.h"
#include "runner/plan/range_chains.h"
#include "runner/plan/real_chains.h"
#include "runner/values/value.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace lapidary {
namespace {

struct Chain {
    std::vector<NodeId> members;
    std::vector<double> weights;
    std::vector<std::string> inputs; // inputs of the node that replaces them
    std::string stages;
    float epsilon = 0;
    std::int64_t channels = 0;
    bool isProduct = false;
    bool isWorthAlone = false; // its weights are not its direct input
    bool hasSum = false;
    bool isEnded = false;
};

struct Stage {
    std::string_view name;
    std::vector<std::string> inputs; // further inputs
    double weight = 1;
    float epsilon = 0;
};

class Fuser {
public:
    Fuser(const GraphPtr& graph, bool decodesWeights)
        : m_graph(graph)
        , m_decodesWeights(decodesWeights)
        , m_taken(graph->size(), false)
        , m_findsRange(graph->size(), false)
    {
    }

    FusedGraph run()
    {
        GraphEdit edit(m_graph);
        FusedGraph out{.graph = m_graph, .fusions = {}};
        fuseReals(edit, out);
        // A bias begins a chain of quantized values unless it is within that of a convolution.
        for (const bool ofBiases : {false, true})
            fuseCodes(ofBiases, edit, out);
        for (std::uint32_t i = 0; i < m_graph->size(); ++i) {
            if (auto chain = chainFrom(NodeId{i}))
                take(std::move(*chain), edit, out);
        }
        auto edited = std::move(edit).finish();
        if (!edited || edited.value().graph->size() != m_graph->size())
            return {.graph = m_graph, .fusions = {}};
        out.graph = edited.value().graph;
        out.original = m_graph;
        return out;
    }

private:
    // Replaces the last node of the chain by the fused one.
    template <class AnyChain>
    void take(AnyChain chain, GraphEdit& edit, FusedGraph& out)
    {
        for (const NodeId member : chain.members)
            m_taken[member.value] = true;
        edit.replace(chain.members.back(), draftOf(chain));
        out.fusions.push_back({std::move(chain.members), std::move(chain.weights)});
    }

    void fuseReals(GraphEdit& edit, FusedGraph& out)
    {
        for (std::uint32_t i = 0; i < m_graph->size(); ++i) {
            if (m_decodesWeights && m_graph->node(NodeId{i}).op() == "DepthwiseConv2dNative")
                continue;
            auto reals = realChainFrom(*m_graph, NodeId{i}, m_taken);
            if (!reals)
                continue;
            m_findsRange[reals->members.back().value] = true;
            take(std::move(*reals), edit, out);
        }
    }

    // Returns the chain of a QuantizeV2 to the range of its input.
    std::optional<CodeChain> rangeChain(NodeId quantize) const
    {
        auto chain = rangeChainTo(*m_graph, quantize);
        const Endpoint x = chain ? m_graph->inputs(quantize)[0] : Endpoint();
        if (chain && x.port == 0 && m_findsRange[x.node.value])
            for (const char* port : {":1", ":2"})
                chain->inputs.push_back(std::string(m_graph->node(x.node).name()) + port);
        return chain;
    }

    void fuseCodes(bool ofBiases, GraphEdit& edit, FusedGraph& out)
    {
        for (std::uint32_t i = 0; i < m_graph->size(); ++i) {
            if (m_taken[i] || ofBiases != (m_graph->node(NodeId{i}).op() == "QuantizedBiasAdd"))
                continue;
            const bool quantizes = m_graph->node(NodeId{i}).op() == "QuantizeV2";
            auto codes = quantizes ? rangeChain(NodeId{i}) : codeChainFrom(*m_graph, NodeId{i});
            if (codes)
                take(std::move(*codes), edit, out);
        }
    }

    // Returns the Const that a data input leads to through Identity nodes (and nodes that carry it
    // into a loop), or the Dequantize of such a Const, also with a scale for each channel where
    // weights are decoded; nothing if another node is in between.
    std::optional<NodeId> constantOf(NodeId node, std::size_t slot) const
    {
        constexpr int mostSteps = 16;
        const auto inputs = m_graph->inputs(node);
        if (slot >= inputs.size())
            return std::nullopt;
        Endpoint at = inputs[slot];
        bool hasEntered = false;
        for (int step = 0; step < mostSteps && at.node.isValid() && at.port == 0; ++step) {
            const Node& producer = m_graph->node(at.node);
            const auto behind = m_graph->inputs(at.node);
            if (producer.op() == "Const")
                return behind.empty() ? std::optional(at.node) : std::nullopt;
            if (producer.op() == "Dequantize")
                return !hasEntered && isConstantCodes(at.node) ? std::optional(at.node)
                                                               : std::nullopt;
            if (m_decodesWeights && producer.op() == "Mul")
                return !hasEntered && codesOf(at.node) ? std::optional(at.node) : std::nullopt;
            const bool entersAsConstant =
                isEnter(producer.op()) && producer.attr("is_constant").asBool().value_or(false);
            if ((!copiesInput(producer.op()) && !entersAsConstant) || behind.size() != 1)
                return std::nullopt;
            hasEntered = hasEntered || entersAsConstant;
            at = behind[0];
        }
        return std::nullopt;
    }

    // Returns whether this is a Dequantize of constants, whose result is kept from the first run
    // on.
    bool isConstantCodes(NodeId dequantize) const
    {
        const auto inputs = m_graph->inputs(dequantize);
        return inputs.size() == 3 && std::ranges::all_of(inputs, [&](const Endpoint& at) {
                   return at.node.isValid() && !at.isControl() &&
                          m_graph->node(at.node).op() == "Const" &&
                          m_graph->inputs(at.node).empty();
               });
    }

    // Returns the Dequantize of constants that a Mul multiplies by a Const.
    std::optional<NodeId> codesOf(NodeId mul) const
    {
        const auto inputs = m_graph->inputs(mul);
        for (std::size_t slot = 0; inputs.size() == 2 && slot < 2; ++slot) {
            const Endpoint codes = inputs[slot];
            const Endpoint scale = inputs[1 - slot];
            if (codes.node.isValid() && scale.node.isValid() && !codes.isControl() &&
                !scale.isControl() && m_graph->node(codes.node).op() == "Dequantize" &&
                isConstantCodes(codes.node) && m_graph->node(scale.node).op() == "Const" &&
                m_graph->inputs(scale.node).empty())
                return codes.node;
        }
        return std::nullopt;
    }

    std::optional<Dims> constantDims(NodeId id) const
    {
        if (m_graph->node(id).op() == "Mul") // has the sizes of the codes: the scale is broadcast
            id = codesOf(id).value_or(id);
        const bool isCoded = m_graph->node(id).op() == "Dequantize";
        const NodeId stored = isCoded ? m_graph->inputs(id)[0].node : id;
        const auto tensor = m_graph->node(stored).tensor();
        if (!tensor || tensor.value().shape().unknownRank ||
            (!isCoded && tensor.value().dtype() != DType::Float))
            return std::nullopt;
        return tensor.value().shape().dims;
    }

    // Returns the input if it is a constant with one element for each channel; all other axes must
    // be 1.
    std::optional<std::string> channelVector(NodeId node, std::size_t slot,
                                             const Chain& chain) const
    {
        const auto constant = constantOf(node, slot);
        const auto dims = constant ? constantDims(*constant) : std::nullopt;
        const std::size_t mostRank = chain.isProduct ? 2 : 4;
        if (!dims || dims->empty() || dims->size() > mostRank || dims->back() != chain.channels)
            return std::nullopt;
        if (!std::all_of(dims->begin(), dims->end() - 1, [](std::int64_t d) { return d == 1; }))
            return std::nullopt;
        return std::string(m_graph->node(*constant).name());
    }

    // Returns whether this node is the only reader of this input's constant, so that packing makes
    // no second copy.
    bool isOnlyReaderOf(NodeId constant, NodeId node) const
    {
        NodeId at = constant;
        while (at != node) {
            const auto readers = m_graph->consumers(at);
            if (readers.size() != 1 || readers[0].port != 0)
                return false;
            at = readers[0].node;
        }
        return true;
    }

    static bool isFloatNhwc(const Node& node)
    {
        return node.attr("T").asType() == DType::Float &&
               node.attr("data_format").asString().value_or("NHWC") == "NHWC";
    }

    std::optional<Chain> startAt(NodeId id) const
    {
        const Node& node = m_graph->node(id);
        const bool depthwise = node.op() == "DepthwiseConv2dNative";
        if ((node.op() != "Conv2D" && !depthwise) || !isFloatNhwc(node) ||
            m_graph->inputs(id).size() < 2 || m_graph->inputs(id)[0].isControl())
            return std::nullopt;
        const auto filter = constantOf(id, 1);
        const auto dims = filter ? constantDims(*filter) : std::nullopt;
        if (!canBePacked(dims))
            return std::nullopt;
        const auto& d = *dims;
        Chain chain;
        chain.members = {id};
        chain.weights = {2.0 * double(d[0]) * double(d[1]) * (depthwise ? 1.0 : double(d[2]))};
        chain.channels = depthwise ? d[2] * d[3] : d[3];
        chain.inputs = {std::string(node.inputs()[0].text),
                        std::string(m_graph->node(*filter).name())};
        chain.isWorthAlone = m_graph->inputs(id)[1].node != *filter;
        return chain;
    }

    std::optional<Chain> productAt(NodeId id) const
    {
        constexpr std::int64_t leastWeights = 256;
        const Node& node = m_graph->node(id);
        const auto inputs = m_graph->inputs(id);
        if (node.op() != "MatMul" || node.attr("T").asType() != DType::Float ||
            node.attr("transpose_a").asBool().value_or(false) || inputs.size() < 2 ||
            inputs[0].isControl() || inputs[1].isControl())
            return std::nullopt;
        const auto weights = constantOf(id, 1);
        const auto dims = weights ? constantDims(*weights) : std::nullopt;
        if (!dims || dims->size() != 2 || (*dims)[0] < 1 || (*dims)[1] < 1 ||
            (*dims)[0] * (*dims)[1] < leastWeights || !isOnlyReaderOf(*weights, id))
            return std::nullopt;
        const bool transposed = node.attr("transpose_b").asBool().value_or(false);
        Chain chain;
        chain.members = {id};
        chain.weights = {2.0 * double((*dims)[transposed ? 1 : 0])};
        chain.channels = (*dims)[transposed ? 0 : 1];
        chain.inputs = {std::string(node.inputs()[0].text),
                        std::string(m_graph->node(*weights).name())};
        chain.isProduct = true;
        chain.isWorthAlone = true;
        return chain;
    }

    std::optional<Chain> chainFrom(NodeId id) const
    {
        if (m_taken[id.value])
            return std::nullopt;
        auto chain = m_graph->node(id).op() == "MatMul" ? productAt(id) : startAt(id);
        while (chain && !chain->isEnded) {
            const auto next = onlyReader(chain->members.back());
            const auto stage = next ? stageOf(*next, *chain) : std::nullopt;
            if (!stage)
                break;
            chain->members.push_back(*next);
            chain->weights.push_back(stage->weight);
            chain->inputs.insert(chain->inputs.end(), stage->inputs.begin(), stage->inputs.end());
            chain->stages += chain->stages.empty() ? "" : ",";
            chain->stages += stage->name;
            chain->epsilon = stage->name == fused_stages::norm ? stage->epsilon : chain->epsilon;
            chain->hasSum = chain->hasSum || stage->name == fused_stages::sum;
            chain->isEnded =
                stage->name == fused_stages::relu || stage->name == fused_stages::relu6;
        }
        const bool isWorth = chain && (chain->members.size() > 1 || chain->isWorthAlone);
        return isWorth ? chain : std::nullopt;
    }

    std::optional<NodeId> onlyReader(NodeId id) const
    {
        const auto readers = m_graph->consumers(id);
        if (readers.size() != 1 || readers[0].port != 0 || m_taken[readers[0].node.value])
            return std::nullopt;
        // The node that would be replaced must have one output.
        for (const Consumer& reader : m_graph->consumers(readers[0].node))
            if (reader.port > 0)
                return std::nullopt;
        return readers[0].node;
    }

    std::optional<Stage> stageOf(NodeId id, const Chain& chain) const
    {
        const Node& node = m_graph->node(id);
        const auto inputs = m_graph->inputs(id);
        const std::size_t mine = inputs[0].node == chain.members.back() ? 0 : 1;
        if (node.attr("T").asType() != DType::Float)
            return std::nullopt;
        if (node.op() == "Relu")
            return Stage{fused_stages::relu, {}, 1, 0};
        if (node.op() == "Relu6")
            return Stage{fused_stages::relu6, {}, 2, 0};
        if (node.op() == "BiasAdd" || node.op() == "BiasAddV1")
            return isFloatNhwc(node) && mine == 0 ? byChannel(id, 1, fused_stages::shift, chain)
                                                  : std::nullopt;
        if (node.op().starts_with("FusedBatchNorm"))
            return mine == 0 && !chain.isProduct ? normOf(id, chain) : std::nullopt;
        const bool isAdd = isAddition(node.op());
        if (node.op() == "Mul" && !chain.isProduct)
            return byChannel(id, 1 - mine, fused_stages::scale, chain);
        if (node.op() == "Sub" && mine == 0)
            return byChannel(id, 1, fused_stages::minus, chain);
        if (!isAdd)
            return std::nullopt;
        if (auto shift = byChannel(id, 1 - mine, fused_stages::shift, chain))
            return shift;
        return chain.isProduct ? std::nullopt : sumOf(id, 1 - mine, chain);
    }

    std::optional<Stage> byChannel(NodeId id, std::size_t slot, std::string_view name,
                                   const Chain& chain) const
    {
        auto vector = channelVector(id, slot, chain);
        if (!vector || chain.hasSum)
            return std::nullopt;
        return Stage{name, {std::move(*vector)}, 1, 0};
    }

    std::optional<Stage> normOf(NodeId id, const Chain& chain) const
    {
        const Node& node = m_graph->node(id);
        const bool training = node.attr("is_training").asBool().value_or(true);
        const bool isFirst = chain.stages.find(fused_stages::norm) == std::string::npos;
        if (training || chain.hasSum || !isFirst || !isFloatNhwc(node))
            return std::nullopt;
        Stage stage{fused_stages::norm, {}, 2, node.attr("epsilon").asFloat().value_or(0.0001F)};
        for (std::size_t slot = 1; slot < 5; ++slot) {
            auto vector = channelVector(id, slot, chain);
            if (!vector || constantDims(*constantOf(id, slot))->size() != 1)
                return std::nullopt;
            stage.inputs.push_back(std::move(*vector));
        }
        return stage;
    }

    std::optional<Stage> sumOf(NodeId id, std::size_t slot, const Chain& chain) const
    {
        const auto inputs = m_graph->inputs(id);
        if (chain.hasSum || slot >= inputs.size() || inputs[slot].isControl() ||
            !inputs[slot].node.isValid())
            return std::nullopt;
        return Stage{fused_stages::sum, {std::string(m_graph->node(id).inputs()[slot].text)}, 1, 0};
    }

    NodeDraft draftOf(const Chain& chain) const
    {
        NodeDraft draft = NodeDraft::of(m_graph->node(chain.members.front()));
        const Node& last = m_graph->node(chain.members.back());
        draft.setAttr("conv", attr::fromString(draft.op));
        draft.setAttr("stages", attr::fromString(chain.stages));
        draft.setAttr("epsilon", attr::fromFloat(chain.epsilon));
        draft.setAttr(fusedHeadAttr, attr::fromString(draft.name)); // for errors about its sizes
        draft.name = std::string(last.name());
        draft.op = std::string(chain.isProduct ? fusedProductOp : fusedConvolutionOp);
        draft.inputs = chain.inputs;
        addControls(draft, chain.members);
        return draft;
    }

    NodeDraft draftOf(const CodeChain& chain) const
    {
        NodeDraft draft = NodeDraft::of(m_graph->node(chain.attributes));
        draft.setAttr("stages", attr::fromString(chain.stages));
        draft.setAttr("stage_nodes", attr::fromString(chain.stageNodes));
        draft.name = std::string(m_graph->node(chain.members.back()).name());
        draft.op = std::string(chain.op);
        draft.inputs = chain.inputs;
        addControls(draft, chain.members);
        return draft;
    }

    void addControls(NodeDraft& draft, const std::vector<NodeId>& members) const
    {
        std::set<std::string> controls;
        for (const NodeId member : members)
            for (const Input& input : m_graph->node(member).inputs())
                if (input.isControl() && controls.emplace(input.text).second)
                    draft.inputs.emplace_back(input.text);
    }

    const GraphPtr& m_graph;
    bool m_decodesWeights;
    std::vector<bool> m_taken;
    std::vector<bool> m_findsRange; // by node: two more outputs are the range of the first one
};

} // namespace

FusedGraph fuseGraph(const GraphPtr& graph, bool decodesWeights)
{
    return Fuser(graph, decodesWeights).run();
}

} // namespace lapidary
