// SPDX-License-Identifier: Apache-2.0
//   E[clip(x, l, h)] = l F(a) + h (1 - F(b)) + m (F(b) - F(a)) - d (f(b) - f(a))
//   with a = (l - m) / d, b = (h - m) / d, and f and F of the standard normal distribution
#include "transforms/layers/channel_spread.h"

#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"
#include "transforms/convolution/channel_statistics.h"
#include "transforms/layers/channel_op.h"
#include "transforms/layers/layer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

Error decline(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

// Return the distribution function of the standard normal distribution, and its density.
double share(double x)
{
    return std::erfc(-x / std::numbers::sqrt2) / 2;
}

double density(double x)
{
    return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

double clippedMean(double mean, double deviation, double low, double high)
{
    if (low >= high)
        return high;
    if (deviation <= 0)
        return std::clamp(mean, low, high);
    const double a = (low - mean) / deviation;
    const double b = (high - mean) / deviation;
    double sum = mean * (share(b) - share(a)) - deviation * (density(b) - density(a));
    if (std::isfinite(low))
        sum += low * share(a);
    if (std::isfinite(high))
        sum += high * share(-b);
    return sum;
}

// Returns the spreads from the vector that a node adds, if that carries statistics; else none.
std::vector<ChannelSpread> keptSpreads(const Graph& graph, NodeId id)
{
    const std::string_view op = graph.node(id).op();
    if (op != "BiasAdd" && !isAddition(op))
        return {};
    for (std::size_t k = 0; k < 2; ++k) {
        const NodeId bias = dataInput(graph, id, k).node;
        if (!bias.isValid() || !isFloatConst(graph, bias))
            continue;
        const std::vector<std::int64_t> dims = constDims(graph.node(bias));
        const ChannelStatistics kept = dims.size() == 1
                                           ? keptStatistics(graph.node(bias), std::size_t(dims[0]))
                                           : ChannelStatistics();
        std::vector<ChannelSpread> spreads;
        for (std::size_t i = 0; i < kept.mean.size(); ++i)
            spreads.push_back(
                {.mean = double(kept.mean[i]), .deviation = double(kept.deviation[i])});
        if (!spreads.empty())
            return spreads;
    }
    return {};
}

void clip(std::vector<ChannelSpread>& spreads, double low, double high)
{
    for (ChannelSpread& spread : spreads) {
        spread.low = std::clamp(spread.low, low, high);
        spread.high = std::clamp(spread.high, low, high);
    }
}

void leak(std::vector<ChannelSpread>& spreads, double slope)
{
    for (ChannelSpread& spread : spreads) {
        spread.leak *= slope;
        for (double* end : {&spread.low, &spread.high})
            if (*end < 0)
                *end *= slope;
    }
}

Status limit(const Graph& graph, const ChannelOp& op, std::vector<ChannelSpread>& spreads)
{
    const auto limits = floatValues(graph.node(op.limits));
    if (!limits || (limits->size() != 1 && limits->size() != spreads.size()))
        return decline("the limits " + std::string(graph.node(op.limits).name()) +
                       " are not one value per channel");
    const double none = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        std::vector<ChannelSpread> one{spreads[i]};
        const double at = double((*limits)[limits->size() == 1 ? 0 : i]);
        clip(one, op.kind == ChannelOp::Kind::Maximum ? at : -none,
             op.kind == ChannelOp::Kind::Minimum ? at : none);
        spreads[i] = one.front();
    }
    return Done{};
}

Status apply(const Graph& graph, NodeId id, const ChannelOp& op,
             std::vector<ChannelSpread>& spreads)
{
    using Kind = ChannelOp::Kind;
    constexpr double six = 6;
    switch (op.kind) {
    case Kind::Copies:
    case Kind::Pads: return Done{};
    case Kind::Relu: clip(spreads, 0, std::numeric_limits<double>::infinity()); return Done{};
    case Kind::Relu6: clip(spreads, 0, six); return Done{};
    case Kind::LeakyRelu: leak(spreads, double(leakOf(graph.node(id)))); return Done{};
    case Kind::Minimum:
    case Kind::Maximum: return limit(graph, op, spreads);
    }
    return Done{};
}

} // namespace

double ChannelSpread::bent(double value) const
{
    return std::clamp(value < 0 ? leak * value : value, low, high);
}

double ChannelSpread::expected() const
{
    if (low >= 0 || leak == 1)
        return clippedMean(mean, deviation, low, high);
    if (leak <= 0)
        return clippedMean(mean, deviation, 0, high);
    return leak * clippedMean(mean, deviation, low / leak, std::min(high / leak, 0.0)) +
           (high > 0 ? clippedMean(mean, deviation, 0, high) : 0);
}

Result<ChannelSpreads> channelSpreads(const Graph& graph, NodeId id)
{
    std::vector<std::pair<NodeId, ChannelOp>> way; // from the node back to the normalization
    ChannelSpreads found;
    std::vector<ChannelSpread>& spreads = found.channels;
    for (NodeId at = id; (spreads = keptSpreads(graph, at)).empty();
         at = way.back().second.tensor) {
        const auto op = channelOpAt(graph, at, false);
        if (!op || way.size() > graph.size())
            return decline("it has no statistics: " + std::string(graph.node(at).name()) +
                           " is not a batch normalization that was folded with keep_statistics");
        if (graph.node(at).op() == "MaxPool")
            found.largest = at;
        way.emplace_back(at, *op);
    }
    for (auto step = way.rbegin(); step != way.rend(); ++step)
        RETURN_IF_ERROR(apply(graph, step->first, step->second, spreads));
    return found;
}

} // namespace lapidary
