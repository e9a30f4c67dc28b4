// SPDX-License-Identifier: Apache-2.0
// fold_batch_norms
//
// Folds into Conv2D, DepthwiseConv2dNative and MatMul with constant weights a vector m with one
// factor for each output channel. Declines if the convolution, w or m is read elsewhere, if the
// channels are not the last axis of the result (NCHW), and if m is not a vector of the right
// length. With through_bias it also folds into a bias that is added to the convolution before the
// factors:
//
//   (Conv2D(x, w) + b) * m = Conv2D(x, w * m) + b * m
#include "transforms/constants/const_node.h"
#include "transforms/convolution/channel_scale.h"
#include "transforms/convolution/channel_statistics.h"
#include "transforms/layers/layer_weights.h"
#include "transforms/match/replacement.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lapidary {
namespace {

constexpr std::array parameters{
    throughBiasParameter,
    ParameterSpec{.name = "keep_statistics",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "with through_bias: also scale the mean and deviation that an earlier "
                          "fold stored on the bias"},
};

std::string sharedNode(const Graph& graph, std::span<const NodeId> ids)
{
    for (const NodeId id : ids)
        if (graph.consumers(id).size() != 1)
            return std::string(graph.node(id).name()) + " is also read elsewhere";
    return "";
}

// Returns the factors of the Mul; the error's message says why they cannot be used.
Result<std::vector<float>> factorsOf(const Graph& graph, const Match& match)
{
    const Node& node = graph.node(match.input(1).node);
    const auto wrong = [&](const std::string& what) {
        return Error{ErrorCode::InvalidArgument, std::string(node.name()) + " " + what};
    };
    auto factors = floatValues(node);
    if (!factors)
        return wrong(factors.error().message);
    if (constDims(node).size() != 1)
        return wrong("is not a vector");
    if (!std::ranges::all_of(*factors, [](float factor) { return std::isfinite(factor); }))
        return wrong("holds NaN or infinity");
    return factors;
}

// Returns the weights of the convolution times the factors.
Result<NodeDraft> foldedWeights(const Graph& graph, const Match& conv,
                                std::span<const float> factors)
{
    const Node& node = graph.node(conv.node);
    if (node.attr("data_format").asString().value_or("NHWC") != "NHWC")
        return Error{ErrorCode::InvalidArgument, std::string(node.name()) + " is channels-first"};
    return scaledWeights(node, graph.node(conv.input(1).node), factors);
}

// Returns a copy of node `id` that replaces the Mul under its name.
NodeDraft inPlaceOf(const Graph& graph, const Match& match, NodeId id)
{
    NodeDraft draft = NodeDraft::of(graph.node(id));
    draft.name = graph.node(match.node).name();
    for (const Input& input : graph.node(match.node).inputs())
        if (input.isControl())
            draft.inputs.emplace_back(input.text);
    return draft;
}

Rewritten rewrite(const Graph& graph, const Match& match, Replacement& parts)
{
    const Match& conv = match.input(0);
    if (std::string why =
            sharedNode(graph, std::array{conv.node, conv.input(1).node, match.input(1).node});
        !why.empty())
        return Declined{std::move(why)};
    const auto factors = factorsOf(graph, match);
    if (!factors)
        return Declined{factors.error().message};
    auto weights = foldedWeights(graph, conv, *factors);
    if (!weights)
        return Declined{weights.error().message};
    parts.change(conv.input(1).node, *std::move(weights), {match.input(1).node});
    parts.revalue(conv.input(1).node);
    parts.keep(conv.input(0).node);
    parts.change(conv.node, inPlaceOf(graph, match, conv.node), {match.node});
    return Done{};
}

// Returns the bias times the factors.
Result<NodeDraft> foldedBias(const Node& bias, std::span<const float> factors, bool keeps)
{
    auto values = floatValues(bias);
    if (!values || constDims(bias).size() != 1 || values->size() != factors.size())
        return Error{ErrorCode::InvalidArgument,
                     std::string(bias.name()) + " has no value for each channel"};
    for (std::size_t k = 0; k < factors.size(); ++k)
        (*values)[k] *= factors[k];
    NodeDraft draft = withValues(bias, *values);
    ChannelStatistics statistics = keptStatistics(bias, factors.size());
    draft.removeAttr(meanAttr);
    draft.removeAttr(deviationAttr);
    for (std::size_t k = 0; k < statistics.mean.size(); ++k) {
        statistics.mean[k] *= factors[k];
        statistics.deviation[k] *= std::abs(factors[k]);
    }
    if (keeps)
        keepStatistics(statistics, draft);
    return draft;
}

Rewritten throughBias(const Graph& graph, const Match& match, bool keeps, Replacement& parts)
{
    const Match& sum = match.input(0);
    const Match& conv = sum.input(0);
    const NodeId bias = sum.input(1).node;
    if (std::string why = sharedNode(
            graph, std::array{sum.node, bias, conv.node, conv.input(1).node, match.input(1).node});
        !why.empty())
        return Declined{std::move(why)};
    const auto factors = factorsOf(graph, match);
    if (!factors)
        return Declined{factors.error().message};
    auto weights = foldedWeights(graph, conv, *factors);
    if (!weights)
        return Declined{weights.error().message};
    auto added = foldedBias(graph.node(bias), *factors, keeps);
    if (!added)
        return Declined{added.error().message};
    parts.change(conv.input(1).node, *std::move(weights), {match.input(1).node});
    parts.revalue(conv.input(1).node);
    parts.keep(conv.input(0).node);
    parts.keep(conv.node);
    parts.revalue(conv.node);
    parts.change(bias, *std::move(added), {match.input(1).node});
    parts.revalue(bias);
    parts.change(sum.node, inPlaceOf(graph, match, sum.node), {match.node});
    return Done{};
}

constexpr const char* reason = "folded into the weights";

Pattern convPattern()
{
    return {"Conv2D|MatMul|DepthwiseConv2dNative", {{"*", {}}, {"Const", {}}}};
}

ReplaceOptions options()
{
    return {{"Mul", {convPattern(), {"Const", {}}}}, rewrite, reason};
}

ReplaceOptions biasOptions(bool keeps)
{
    return {{"Mul", {{"BiasAdd|Add|AddV2", {convPattern(), {"Const", {}}}}, {"Const", {}}}},
            [keeps](const Graph& graph, const Match& match, Replacement& parts) {
                return throughBias(graph, match, keeps, parts);
            },
            reason};
}

Result<EditResult> fold(const GraphPtr& graph, const PassArgs& args, const Job& job,
                        Findings* findings)
{
    ASSIGN_OR_RETURN(const bool isThroughBias, args.parameters.oneBool("through_bias", false));
    ASSIGN_OR_RETURN(const bool keeps, args.parameters.oneBool("keep_statistics", false));
    EditChain chain(graph);
    if (isThroughBias) {
        RETURN_IF_ERROR(replaceInChain(chain, args, biasOptions(keeps), Rounds::UntilNothingChanges,
                                       job, findings));
    }
    RETURN_IF_ERROR(replaceInChain(chain, args, options(), Rounds::One, job, findings));
    return std::move(chain).finish();
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    RETURN_IF_ERROR(fold(graph, args, job, &findings));
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return fold(graph, args, job, nullptr);
}

} // namespace

const Pass passes::foldBatchNorms{
    .name = "fold_batch_norms",
    .summary = "Folds a constant Mul after a convolution into its weights.",
    .before = "c = Conv2D(x, w)\n"
              "y = Mul(c, m), w and m Const",
    .after = "y = Conv2D(x, w * m)",
    .declines = "A convolution, w or m that is read elsewhere or is an output, channels-first "
                "layouts, "
                "m that is not a vector with one factor an output channel, and values that are not "
                "finite.",
    .differences = "A place that does not fit is left alone; in the original it fails the recipe. "
                   "Control inputs of the Mul are kept. through_bias and keep_statistics are new.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
