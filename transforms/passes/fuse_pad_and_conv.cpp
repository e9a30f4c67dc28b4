// SPDX-License-Identifier: Apache-2.0
// fuse_pad_and_conv
//
// Declines a convolution that is not NHWC, has dilations or explicit paddings, and paddings of
// batches or channels or of int64, which the fused op does not take.
#include "transforms/constants/const_node.h"
#include "transforms/convolution/fused_conv.h"
#include "transforms/match/replacement.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Rewritten rewrite(const Graph& graph, const Match& match, Replacement& parts)
{
    const Match& pad = match.input(0);
    const Node& conv = graph.node(match.node);
    if (std::string why = fusionFault(conv, {&graph.node(pad.node)}); !why.empty())
        return Declined{std::move(why)};
    if (std::string why = paddingFault(graph.node(pad.node), graph.node(pad.input(1).node));
        !why.empty())
        return Declined{std::move(why)};
    NodeDraft draft = fusedConv(conv, "FusedPadConv2D",
                                {inputText(graph.node(pad.node), 0),
                                 inputText(graph.node(pad.node), 1), inputText(conv, 1)});
    copyAttr(graph.node(pad.node), "mode", draft);
    parts.keep(match.input(1).node);
    parts.keep(pad.input(0).node);
    parts.keep(pad.input(1).node);
    parts.change(match.node, std::move(draft), {pad.node});
    return Done{};
}

ReplaceOptions options()
{
    const Pattern any{"*", {}};
    return {{"Conv2D", {{"MirrorPad", {any, any}}, any}}, rewrite, "fused into the convolution"};
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

const Pass passes::fusePadAndConv{
    .name = "fuse_pad_and_conv",
    .summary = "Fuses MirrorPad into the following convolution.",
    .before = "p = MirrorPad(x, paddings)\n"
              "y = Conv2D(p, w)",
    .after = "y = FusedPadConv2D(x, paddings, w)",
    .declines = "Channels-first layouts, dilations, explicit paddings, types other than half, "
                "float and "
                "double, paddings of batches or channels or of int64, and inner nodes that are "
                "read elsewhere or are outputs.",
    .differences = "The original fuses such places although the result differs or cannot run, or "
                   "crashes. Device and control inputs are kept.",
    .find = find,
    .run = run,
};

} // namespace lapidary
