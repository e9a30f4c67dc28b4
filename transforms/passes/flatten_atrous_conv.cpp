// SPDX-License-Identifier: Apache-2.0
// flatten_atrous_conv
//
// Also for DepthwiseConv2dNative. The filter grows to (h-1)*block+1; one that has other readers or
// is an output is kept beside the new one. Declines if paddings and crops do not amount to SAME, if
// strides or dilations are not 1, and if a size is not constant.
#include "transforms/constants/const_node.h"
#include "transforms/convolution/atrous.h"
#include "transforms/match/replacement.h"
#include "transforms/pass/fresh_name.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

// Replaces the old filter by the new one, or adds the new one if others read the old one. Returns
// the input text for the new filter.
std::string placeFilter(const Graph& graph, const Match& match, NodeDraft flat,
                        const PassArgs& args, Replacement& parts)
{
    const NodeId filter = match.input(0).input(1).node;
    if (!isNeededOutside(graph, match, filter, args)) {
        parts.change(filter, std::move(flat));
        parts.revalue(filter);
        return std::string(graph.node(match.input(0).node).inputs()[1].text);
    }
    flat.name = freshName(graph, flat.name + "_flat");
    const std::string name = flat.name;
    parts.keep(filter);
    parts.add(std::move(flat), {filter});
    return name;
}

Rewritten rewrite(const Graph& graph, const Match& match, const PassArgs& args, Replacement& parts)
{
    const Match& conv = match.input(0);
    const Match& toBatch = conv.input(0);
    const Node& convNode = graph.node(conv.node);
    const Node& filter = graph.node(conv.input(1).node);
    auto flat = flattenedFilter({.conv = convNode,
                                 .filter = filter,
                                 .toBatch = graph.node(toBatch.node),
                                 .blocks = graph.node(toBatch.input(1).node),
                                 .paddings = graph.node(toBatch.input(2).node),
                                 .blocksBack = graph.node(match.input(1).node),
                                 .crops = graph.node(match.input(2).node)});
    if (!flat)
        return Declined{flat.error().message};
    parts.keep(toBatch.input(0).node);
    const std::string newFilter = placeFilter(graph, match, *std::move(flat), args, parts);
    NodeDraft draft = newNode(std::string(graph.node(match.node).name()), convNode.op(),
                              {std::string(graph.node(toBatch.node).inputs()[0].text), newFilter});
    draft.device = convNode.device();
    for (const std::string_view name : {"T", "strides", "data_format"})
        copyAttr(convNode, name, draft);
    if (convNode.op() == "Conv2D")
        copyAttr(convNode, "use_cudnn_on_gpu", draft);
    draft.setAttr("padding", attr::fromString("SAME"));
    parts.change(match.node, std::move(draft), {conv.node, toBatch.node});
    return Done{};
}

ReplaceOptions options(const PassArgs& args)
{
    const Pattern any{"*", {}};
    return {
        {"BatchToSpaceND",
         {{"Conv2D|DepthwiseConv2dNative", {{"SpaceToBatchND", {any, any, any}}, any}}, any, any}},
        [&args](const Graph& graph, const Match& match, Replacement& parts) {
            return rewrite(graph, match, args, parts);
        },
        "flattened into the convolution"};
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return findReplacements(graph, args, options(args), job);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return replaceMatches(graph, args, options(args), job);
}

} // namespace

const Pass passes::flattenAtrousConv{
    .name = "flatten_atrous_conv",
    .summary = "Replaces a convolution between SpaceToBatchND and BatchToSpaceND by one with a "
               "larger, sparse filter.",
    .before = "s = SpaceToBatchND(x, block, paddings)\n"
              "c = Conv2D(s, w)\n"
              "y = BatchToSpaceND(c, block, crops)",
    .after = "y = Conv2D(x, w with zeros between its taps) {padding=SAME}",
    .declines = "Paddings and crops that do not amount to SAME, strides or dilations other than "
                "1, channels-first layouts, sizes and filters that are not constant floats, blocks "
                "that differ, and inner nodes that are read elsewhere or are outputs.",
    .differences = "The original changes what such places compute, or crashes. The port of the "
                   "input is kept, and so are control inputs. A filter that others read stays, and "
                   "the new one is called after it, with _flat at the end.",
    .find = find,
    .run = run,
};

} // namespace lapidary
