// fuse_resize_and_conv
//
//   before:  y = Conv2D(ResizeBilinear(x, size), w)
//   after:   y = FusedResizeAndPadConv2D(x, size, y_dummy_paddings, w)
//
// Declines a convolution that is not NHWC, has dilations or explicit paddings, a resize with half
// pixel centers, and nodes with control inputs.
#include "transforms/match/replacement.h"
#include "transforms/pass/const_node.h"
#include "transforms/pass/fused_conv.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Result<std::string> rewrite(const Graph& graph, const Match& match, Replacement& parts)
{
    const Node& conv = graph.node(match.node);
    const Node& resize = graph.node(match.input(0).node);
    if (std::string why = fusionFault(conv, {&resize}); !why.empty())
        return why;
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
    return std::string();
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
    .summary = "Fuses ResizeBilinear into the convolution behind it.",
    .find = find,
    .run = run,
};

} // namespace lapidary
