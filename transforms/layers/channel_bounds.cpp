// SPDX-License-Identifier: Apache-2.0
#include "transforms/layers/channel_bounds.h"

#include "graph_model/base/job.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"
#include "transforms/layers/channel_op.h"
#include "transforms/layers/layer_weights.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// Bounds the error of the sum of n products of floats, in any order: n * rounding times the sum of
// magnitudes.
constexpr double rounding = 1.0 / (1 << 23);

Interval hull(const std::vector<Interval>& intervals)
{
    Interval all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const Interval& some : intervals)
        all = {std::min(all.low, some.low), std::max(all.high, some.high)};
    return all;
}

Interval withZero(Interval interval)
{
    return {std::min(interval.low, 0.0), std::max(interval.high, 0.0)};
}

// Returns whether a convolution reads zeros around its images.
bool readsPadding(const Node& product, const std::vector<std::int64_t>& dims)
{
    return dims.size() == 4 && (dims[0] > 1 || dims[1] > 1) &&
           product.attr("padding").asString().value_or("") != "VALID";
}

class BoundsWalk {
public:
    BoundsWalk(const Graph& graph, const NodeNames& inputs, Interval range)
        : m_graph(graph)
        , m_inputs(inputs)
        , m_range(range)
        , m_bounds(graph.size())
    {
    }

    Result<std::vector<ChannelBounds>> run(const Job& job)
    {
        for (const NodeId id : topologicalOrder(m_graph)) {
            if (job.cancelled())
                return cancelledError();
            m_bounds[id.value] = of(id);
        }
        return std::move(m_bounds);
    }

private:
    ChannelBounds of(NodeId id) const
    {
        const Node& node = m_graph.node(id);
        if (m_inputs.contains(node.name()) || node.op().starts_with("Placeholder"))
            return isFloatInput(node) ? ChannelBounds{{m_range}, false} : ChannelBounds();
        if (isLayerOp(node.op()))
            return ofProduct(id);
        if (node.op() == "BiasAdd" || isAddition(node.op()))
            return ofSum(id);
        return ofChannelOp(id);
    }

    static bool isFloatInput(const Node& node)
    {
        const char* const type = node.hasAttr("dtype") ? "dtype" : "T";
        return node.attr(type).asType().value_or(DType::Float) == DType::Float;
    }

    const ChannelBounds* inputOf(NodeId id, std::size_t k) const
    {
        const Endpoint from = dataInput(m_graph, id, k);
        if (!from.node.isValid() || from.port != 0 || m_bounds[from.node.value].channels.empty())
            return nullptr;
        return &m_bounds[from.node.value];
    }

    ChannelBounds ofProduct(NodeId id) const
    {
        const ChannelBounds* input = inputOf(id, 0);
        const auto layer = layerAt(m_graph, id);
        if (input == nullptr || !layer)
            return {};
        Layer alone = *layer; // the bias belongs to the next node
        alone.bias = {};
        const auto weights = readWeights(m_graph, alone);
        if (!weights)
            return {};
        const bool pads = readsPadding(m_graph.node(id), constDims(m_graph.node(layer->weights)));
        std::vector<Interval> read(weights->inputs);
        for (std::size_t i = 0; i < read.size(); ++i) {
            const Interval plain = input->of(i, read.size());
            read[i] = pads ? withZero(plain) : plain;
        }
        return {sums(*weights, read), m_graph.node(id).op() == "MatMul"};
    }

    static std::vector<Interval> sums(const LayerWeights& weights,
                                      const std::vector<Interval>& read)
    {
        std::vector<Interval> made(weights.outputs, Interval{0, 0});
        std::vector<double> magnitudes(weights.outputs);
        for (std::size_t i = 0; i < weights.values.size(); ++i) {
            const auto w = double(weights.values[i]);
            if (w == 0)
                continue; // 0 times infinity would be NaN
            const Interval& x = read[weights.inputOf(i)];
            Interval& sum = made[weights.outputOf(i)];
            sum.low += w > 0 ? w * x.low : w * x.high;
            sum.high += w > 0 ? w * x.high : w * x.low;
            magnitudes[weights.outputOf(i)] +=
                std::abs(w) * std::max(std::abs(x.low), std::abs(x.high));
        }
        const double terms = double(weights.values.size()) / double(weights.outputs);
        for (std::size_t k = 0; k < made.size(); ++k) {
            const double slack = terms * rounding * magnitudes[k];
            made[k] = {made[k].low - slack, made[k].high + slack};
            if (std::isnan(made[k].low) || std::isnan(made[k].high))
                made[k] = {};
        }
        return made;
    }

    ChannelBounds ofSum(NodeId id) const
    {
        for (const std::size_t k : {0U, 1U}) {
            const ChannelBounds* input = inputOf(id, k);
            const NodeId other = dataInput(m_graph, id, 1 - k).node;
            if (input == nullptr || !other.isValid() || !isFloatConst(m_graph, other) ||
                constDims(m_graph.node(other)).size() > 1 ||
                m_graph.node(id).attr("data_format").asString().value_or("NHWC") != "NHWC")
                continue;
            const auto added = floatValues(m_graph.node(other));
            if (added && !added->empty())
                return {plus(*input, *added), input->isFlat};
        }
        return {};
    }

    static std::vector<Interval> plus(const ChannelBounds& input, const std::vector<float>& added)
    {
        const std::size_t count = added.size() > 1 ? added.size() : input.channels.size();
        std::vector<Interval> sums(count);
        for (std::size_t k = 0; k < count; ++k) {
            const Interval x = input.of(k, count);
            const auto b = double(added[k % added.size()]);
            // A fused kernel may start its sum from the bias, which rounds differently.
            const double slack = x.isValue() ? 0 : rounding * std::abs(b);
            sums[k] = {x.low + b - slack, x.high + b + slack};
        }
        return sums;
    }

    ChannelBounds ofChannelOp(NodeId id) const
    {
        // channelOpAt() finds the same tensor for either value of `isFlat`.
        const Endpoint first = dataInput(m_graph, id, 0);
        if (!first.node.isValid())
            return {};
        const bool isFlat = m_bounds[first.node.value].isFlat;
        const auto op = channelOpAt(m_graph, id, isFlat);
        const bool clips = op && (op->kind == ChannelOp::Kind::Relu6 || isRelu(*op));
        if (!op || !op->tensor.isValid() || (m_bounds[op->tensor.value].channels.empty() && !clips))
            return {};
        ChannelBounds result{m_bounds[op->tensor.value].channels, op->isFlat};
        if (result.channels.empty())
            result.channels.emplace_back(); // unknown, but clipped
        std::vector<float> limits;
        if (op->limits.isValid())
            if (auto values = floatValues(m_graph.node(op->limits)))
                limits = *std::move(values);
        if (op->limits.isValid() && limits.empty())
            return {};
        const std::size_t count = limits.size() > 1 ? limits.size() : result.channels.size();
        std::vector<Interval> clipped(count);
        for (std::size_t k = 0; k < count; ++k)
            clipped[k] = through(*op, m_graph.node(id), result.of(k, count),
                                 limits.empty() ? 0 : double(limits[k % limits.size()]));
        result.channels = std::move(clipped);
        return result;
    }

    static bool isRelu(const ChannelOp& op) { return op.kind == ChannelOp::Kind::Relu; }

    static Interval through(const ChannelOp& op, const Node& node, Interval x, double limit)
    {
        constexpr double six = 6;
        const double leak = double(leakOf(node));
        const auto bend = [&](double value) {
            switch (op.kind) {
            case ChannelOp::Kind::Relu: return std::max(value, 0.0);
            case ChannelOp::Kind::Relu6: return std::clamp(value, 0.0, six);
            case ChannelOp::Kind::LeakyRelu: return value < 0 ? value * leak : value;
            case ChannelOp::Kind::Minimum: return std::min(value, limit);
            case ChannelOp::Kind::Maximum: return std::max(value, limit);
            case ChannelOp::Kind::Copies:
            case ChannelOp::Kind::Pads: break;
            }
            return value;
        };
        if (op.kind == ChannelOp::Kind::Pads)
            return withZero(x);
        if (op.kind == ChannelOp::Kind::LeakyRelu && !(leak >= 0))
            return {};
        return {bend(x.low), bend(x.high)};
    }

    const Graph& m_graph;
    const NodeNames& m_inputs;
    Interval m_range;
    std::vector<ChannelBounds> m_bounds;
};

} // namespace

Interval ChannelBounds::of(std::size_t k, std::size_t count) const
{
    if (channels.empty())
        return {};
    return count % channels.size() == 0 ? channels[k % channels.size()] : hull(channels);
}

Result<std::vector<ChannelBounds>> channelBounds(const Graph& graph, const NodeNames& inputs,
                                                 Interval range, const Job& job)
{
    return BoundsWalk(graph, inputs, range).run(job);
}

} // namespace lapidary
