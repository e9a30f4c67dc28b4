// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv2D(x, w)
//   after:   y = Dequantize(Requantize(QuantizedConv2D(QuantizeV2(x), QuantizeV2(w))))
//
// The range of each input is measured while the graph runs: Min and Max of all its values.
#include "runner/shapes/infer_shapes.h"
#include "transforms/constants/const_node.h"
#include "transforms/match/glob.h"
#include "transforms/match/replacement.h"
#include "transforms/quantize/measured_codes.h"
#include "transforms/quantize/quantize_steps.h"
#include "transforms/quantize/quantized_node.h"
#include "transforms/quantize/quantized_op.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_set>

namespace lapidary {
namespace {

class OpQuantizer {
public:
    // The tensors `fed` are fed to the graph.
    OpQuantizer(const Graph& graph, NodeId id, const QuantizedOp& op,
                std::span<const std::string> fed, Replacement& parts)
        : m_node(graph.node(id))
        , m_id(id)
        , m_op(op)
        , m_fed(fed)
        , m_parts(parts)
        , m_name(m_node.name())
    {
    }

    void run(const std::optional<FixedRange>& fallback)
    {
        std::size_t position = 0;
        for (const Input& input : m_node.inputs()) {
            if (input.isControl())
                m_controls.emplace_back(input.text);
            else if (m_op.isQuantized(position++))
                quantizeInput(input);
            else
                m_values.emplace_back(input.text);
        }
        addOp();
        const std::string result = m_op.isWide() ? requantize(fallback) : m_name + "/eightbit";
        m_parts.change(m_id, dequantizeNode(m_name, threeOutputs(result)));
    }

private:
    void add(NodeDraft draft) { m_parts.add(std::move(draft), {m_id}); }

    void quantizeInput(const Input& input)
    {
        std::string base = codesStem(m_name, input);
        if (m_made.insert(base).second)
            for (NodeDraft& draft : measuredCodes(base, input, m_fed))
                add(std::move(draft));
        m_quantized.push_back(base);
        m_values.push_back(base + "/quantize:0");
    }

    void addOp()
    {
        std::vector<std::string> inputs = m_values;
        if (m_op.separatesRanges) {
            for (const char* port : {":1", ":2"})
                for (const std::string& base : m_quantized)
                    inputs.push_back(base + "/quantize" + port);
        } else {
            for (const std::string& base : m_quantized)
                for (const char* port : {":1", ":2"})
                    inputs.push_back(base + "/quantize" + port);
        }
        inputs.insert(inputs.end(), m_controls.begin(), m_controls.end());
        NodeDraft draft = newNode(m_name + "/eightbit", m_op.quantizedOp, std::move(inputs));
        for (const std::string_view name : m_op.copiedAttrs)
            copyAttr(m_node, name, draft);
        for (const std::string_view name : m_op.byteAttrs)
            draft.setAttr(name, attr::fromType(DType::QUInt8));
        if (m_op.isWide())
            draft.setAttr(m_op.wordAttr, attr::fromType(DType::QInt32));
        add(std::move(draft));
    }

    // Adds the conversion from 32 bits to 8; returns the name of its node.
    std::string requantize(const std::optional<FixedRange>& fallback)
    {
        const std::string base = m_name + "/eightbit";
        std::vector<std::string> inputs = threeOutputs(base);
        if (fallback) {
            add(floatScalar(base + "/fallback_min", fallback->min));
            add(floatScalar(base + "/fallback_max", fallback->max));
            inputs.insert(inputs.end(), {base + "/fallback_min", base + "/fallback_max"});
        } else {
            NodeDraft range =
                newNode(base + "/requant_range", "RequantizationRange", threeOutputs(base));
            range.setAttr("Tinput", attr::fromType(DType::QInt32));
            add(std::move(range));
            inputs.insert(inputs.end(), {base + "/requant_range:0", base + "/requant_range:1"});
        }
        add(requantizeNode(base + "/requantize", std::move(inputs)));
        return base + "/requantize";
    }

    const Node& m_node;
    NodeId m_id;
    const QuantizedOp& m_op;
    std::span<const std::string> m_fed;
    Replacement& m_parts;
    std::string m_name;
    std::vector<std::string> m_values;      // data inputs of the 8-bit op
    std::vector<std::string> m_quantized;   // base names, one for each quantized input
    std::unordered_set<std::string> m_made; // the same, each once
    std::vector<std::string> m_controls;
};

bool isEndOf(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& whole)
{
    return dims.size() <= whole.size() && std::equal(dims.rbegin(), dims.rend(), whole.rbegin());
}

// Declines other shapes than those for which QuantizedAdd and QuantizedMul repeat the smaller
// operand as a whole, or one element.
std::string broadcastFault(const Graph& graph, NodeId id, const InferredShapes& shapes)
{
    std::vector<std::vector<std::int64_t>> operands;
    for (const Endpoint& from : graph.inputs(id)) {
        const TensorLabel* label = from.isControl() ? nullptr : shapes.find(from);
        if (label == nullptr || !isFullyKnown(label->shape))
            continue;
        std::vector<std::int64_t> dims = label->shape.dims;
        if (std::ranges::find(dims, 0) != dims.end())
            return "it has no elements";
        dims.erase(dims.begin(),
                   std::ranges::find_if(dims, [](std::int64_t dim) { return dim != 1; }));
        operands.push_back(std::move(dims));
    }
    if (operands.size() < 2 || isEndOf(operands[0], operands[1]) ||
        isEndOf(operands[1], operands[0]))
        return "";
    return "the 8-bit op cannot broadcast its operands";
}

std::string alternatives(const QuantizeOptions& options)
{
    std::string text;
    for (const QuantizedOp& op : allQuantizedOps())
        if (!options.ignoredOps.contains(op.op))
            text += (text.empty() ? "" : "|") + std::string(op.op);
    return text;
}

// Returns whether a tensor is a product with one column, with or without a bias and a Relu.
bool isSingleColumn(const Graph& graph, Endpoint from, const InferredShapes& shapes)
{
    constexpr int mostSteps = 8;
    for (int step = 0; step < mostSteps && from.node.isValid(); ++step) {
        const std::string_view op = graph.node(from.node).op();
        if (op == "MatMul") {
            const TensorLabel* made = shapes.find(from);
            return made != nullptr && made->shape.dims.size() == 2 && made->shape.dims[1] == 1;
        }
        if (op != "Relu" && op != "Relu6" && op != "BiasAdd")
            return false;
        const auto inputs = graph.inputs(from.node);
        from = inputs.empty() ? Endpoint() : inputs[0];
    }
    return false;
}

// Declines inputs whose range may have no width, which sums and products of codes do not take: a
// result of one number below 0 has such a range.
std::string widthFault(const Graph& graph, NodeId id, const InferredShapes& shapes)
{
    const std::string_view op = graph.node(id).op();
    if (op != "Add" && op != "Mul" && op != "MatMul")
        return "";
    for (const Endpoint& from : graph.inputs(id))
        if (!from.isControl() && isSingleColumn(graph, from, shapes))
            return "one of its inputs has one column, whose range would have no width where a "
                   "single number is below 0";
    return "";
}

} // namespace

Result<EditResult> quantizeOps(const GraphPtr& graph, const PassArgs& args,
                               const QuantizeOptions& options, const Job& job, Findings* findings)
{
    ASSIGN_OR_RETURN(const auto shapes, inferShapes(*graph, {}, job));
    ReplaceOptions replace{{alternatives(options), {}}, {}, "computed in 8 bits"};
    replace.rewrite = [&](const Graph& g, const Match& match, Replacement& parts) -> Rewritten {
        const QuantizedOp* op = findQuantizedOp(g.node(match.node).op());
        if (op == nullptr)
            return Declined{"there is no 8-bit op for it"};
        if (std::ranges::any_of(options.ignoredNodes, [&](const std::string& glob) {
                return fitsGlob(g.node(match.node).name(), glob);
            }))
            return Declined{"left in float: ignore_node"};
        if (std::string why = quantizeFault(g, match.node, *op); !why.empty())
            return Declined{std::move(why)};
        if (op->op == "Add" || op->op == "Mul")
            if (std::string why = broadcastFault(g, match.node, shapes); !why.empty())
                return Declined{std::move(why)};
        if (std::string why = widthFault(g, match.node, shapes); !why.empty())
            return Declined{std::move(why)};
        OpQuantizer(g, match.node, *op, args.inputs, parts).run(options.fallback);
        return Done{};
    };
    return replaceMatches(graph, args, replace, job, findings);
}

} // namespace lapidary
