// SPDX-License-Identifier: Apache-2.0
// fold_batch_norms
//
// Conv2D, DepthwiseConv2dNative and MatMul with constant weights and a vector m with one factor an
// output channel. Declines where the convolution, w or m is read elsewhere, where the channels are
// not the last axis of the result (NCHW), and where m is not a vector of the right length.
#include "transforms/constants/const_node.h"
#include "transforms/convolution/channel_scale.h"
#include "transforms/match/replacement.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

std::string sharedNode(const Graph& graph, const Match& match)
{
    const Match& conv = match.input(0);
    for (const NodeId id : {conv.node, conv.input(1).node, match.input(1).node})
        if (graph.consumers(id).size() != 1)
            return std::string(graph.node(id).name()) + " is also read elsewhere";
    return "";
}

Rewritten rewrite(const Graph& graph, const Match& match, Replacement& parts)
{
    const Match& conv = match.input(0);
    if (std::string why = sharedNode(graph, match); !why.empty())
        return Declined{std::move(why)};
    const auto factors = floatValues(graph.node(match.input(1).node));
    if (!factors)
        return Declined{std::string(graph.node(match.input(1).node).name()) + " " +
                        factors.error().message};
    if (constDims(graph.node(match.input(1).node)).size() != 1)
        return Declined{std::string(graph.node(match.input(1).node).name()) + " is not a vector"};
    if (!std::ranges::all_of(*factors, [](float factor) { return std::isfinite(factor); }))
        return Declined{std::string(graph.node(match.input(1).node).name()) +
                        " holds NaN or infinity"};
    const Node& convNode = graph.node(conv.node);
    if (convNode.attr("data_format").asString().value_or("NHWC") != "NHWC")
        return Declined{std::string(convNode.name()) + " has its channels in front"};
    auto weights = scaledWeights(graph.node(conv.node), graph.node(conv.input(1).node), *factors);
    if (!weights)
        return Declined{weights.error().message};
    NodeDraft draft = NodeDraft::of(graph.node(conv.node));
    draft.name = graph.node(match.node).name();
    for (const Input& input : graph.node(match.node).inputs())
        if (input.isControl())
            draft.inputs.emplace_back(input.text);
    parts.change(conv.input(1).node, *std::move(weights), {match.input(1).node});
    parts.revalue(conv.input(1).node);
    parts.keep(conv.input(0).node);
    parts.change(conv.node, std::move(draft), {match.node});
    return Done{};
}

ReplaceOptions options()
{
    return {{"Mul",
             {{"Conv2D|MatMul|DepthwiseConv2dNative", {{"*", {}}, {"Const", {}}}}, {"Const", {}}}},
            rewrite,
            "folded into the weights"};
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return findReplacements(graph, args, options(), job);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return replaceMatches(graph, args, options(), job);
}

} // namespace

const Pass passes::foldBatchNorms{
    .name = "fold_batch_norms",
    .summary = "Multiplies the factors behind a convolution into its weights.",
    .before = "c = Conv2D(x, w)\n"
              "y = Mul(c, m), w and m Const",
    .after = "y = Conv2D(x, w * m)",
    .declines = "A convolution, w or m that is read elsewhere or is an output, channels in front, "
                "m that is not a vector with one factor an output channel, and values that are not "
                "finite.",
    .differences = "A place that does not fit is left alone; in the original it fails the recipe. "
                   "Control inputs of the Mul are kept.",
    .find = find,
    .run = run,
};

} // namespace lapidary
