// SPDX-License-Identifier: Apache-2.0
// fuse_resize_and_conv
//
// Declines a convolution that is not NHWC, has dilations or explicit paddings, a resize with half
// pixel centers, and images of another type than the filter's.
#include "transforms/constants/const_node.h"
#include "transforms/convolution/fused_conv.h"
#include "transforms/match/replacement.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Rewritten rewrite(const Graph& graph, const Match& match, Replacement& parts)
{
    const Node& conv = graph.node(match.node);
    const Node& resize = graph.node(match.input(0).node);
    if (std::string why = fusionFault(conv, {&resize}); !why.empty())
        return Declined{std::move(why)};
    const std::string paddings = std::string(conv.name()) + "_dummy_paddings";
    const std::vector<std::int32_t> zeros(8, 0);
    NodeDraft draft =
        fusedConv(conv, "FusedResizeAndPadConv2D",
                  {inputText(resize, 0), inputText(resize, 1), paddings, inputText(conv, 1)});
    copyAttr(resize, "align_corners", draft, "resize_align_corners");
    draft.setAttr("mode", attr::fromString("REFLECT"));
    parts.keep(match.input(1).node);
    parts.add(intConst(paddings, {4, 2}, zeros), {match.node});
    parts.change(match.node, std::move(draft), {match.input(0).node});
    return Done{};
}

ReplaceOptions options()
{
    return {{"Conv2D", {{"ResizeBilinear", {}}, {"*", {}}}}, rewrite, "fused into the convolution"};
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

const Pass passes::fuseResizeAndConv{
    .name = "fuse_resize_and_conv",
    .summary = "Fuses ResizeBilinear into the following convolution.",
    .before = "r = ResizeBilinear(x, size)\n"
              "y = Conv2D(r, w)",
    .after = "y = FusedResizeAndPadConv2D(x, size, y_dummy_paddings, w)",
    .declines = "Channels-first layouts, dilations, explicit paddings, half pixel centers, images "
                "of "
                "another type than the filter, and inner nodes that are read elsewhere or are "
                "outputs.",
    .differences = "The original fuses such places although the result differs or cannot run, or "
                   "crashes. Device and control inputs are kept.",
    .find = find,
    .run = run,
};

} // namespace lapidary
