// SPDX-License-Identifier: Apache-2.0
// fuse_resize_pad_and_conv
//
// Declines a convolution that is not NHWC, has dilations or explicit paddings, a resize with half
// pixel centers, images of another type than the filter's, and paddings of batches or channels or
// of int64, which the fused op does not take.
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
    const Node& padNode = graph.node(pad.node);
    const Node& resize = graph.node(pad.input(0).node);
    if (std::string why = fusionFault(conv, {&padNode, &resize}); !why.empty())
        return Declined{std::move(why)};
    if (std::string why = paddingFault(padNode, graph.node(pad.input(1).node)); !why.empty())
        return Declined{std::move(why)};
    NodeDraft draft = fusedConv(
        conv, "FusedResizeAndPadConv2D",
        {inputText(resize, 0), inputText(resize, 1), inputText(padNode, 1), inputText(conv, 1)});
    copyAttr(resize, "align_corners", draft, "resize_align_corners");
    copyAttr(padNode, "mode", draft);
    parts.keep(match.input(1).node);
    parts.keep(pad.input(1).node);
    parts.change(match.node, std::move(draft), {pad.node, pad.input(0).node});
    return Done{};
}

ReplaceOptions options()
{
    return {{"Conv2D", {{"MirrorPad", {{"ResizeBilinear", {}}, {"*", {}}}}, {"*", {}}}},
            rewrite,
            "fused into the convolution"};
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

const Pass passes::fuseResizePadAndConv{
    .name = "fuse_resize_pad_and_conv",
    .summary = "Fuses ResizeBilinear and MirrorPad into the following convolution.",
    .before = "r = ResizeBilinear(x, size)\n"
              "p = MirrorPad(r, paddings)\n"
              "y = Conv2D(p, w)",
    .after = "y = FusedResizeAndPadConv2D(x, size, paddings, w)",
    .declines = "Channels-first layouts, dilations, explicit paddings, half pixel centers, images "
                "of "
                "another type than the filter, paddings of batches or channels or of int64, and "
                "inner nodes that are read elsewhere or are outputs.",
    .differences = "The original fuses such places although the result differs or cannot run, or "
                   "crashes. Device and control inputs are kept.",
    .find = find,
    .run = run,
};

} // namespace lapidary
