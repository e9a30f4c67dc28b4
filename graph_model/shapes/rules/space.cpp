// SPDX-License-Identifier: Apache-2.0
// Rearrangements between batch, depth and space.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

struct Blocks {
    std::size_t count = 0;
    std::vector<std::int64_t> sizes; // unknownDim if unknown
    std::vector<std::int64_t> cut;   // before and after each, unknownDim if unknown
};

std::optional<Blocks> blocksOf(RuleContext& context, bool isSplit)
{
    const Shape& shape = context.input(1);
    if (shape.unknownRank || shape.dims.size() != 1 || shape.dims[0] == unknownDim) {
        context.fail(!shape.unknownRank && shape.dims.size() == 1
                         ? "block_shape must have known size."
                         : "block_shape must have rank 1.");
        return std::nullopt;
    }
    if (shape.dims[0] >= std::int64_t(maxRank)) {
        context.fail("block_shape has " + std::to_string(shape.dims[0]) + " elements");
        return std::nullopt;
    }
    Blocks blocks;
    blocks.count = std::size_t(shape.dims[0]);
    const Shape cut = context.ranked(2, 2);
    context.merge(cut.dims[0], shape.dims[0]);
    context.merge(cut.dims[1], 2);
    blocks.sizes.assign(blocks.count, unknownDim);
    blocks.cut.assign(2 * blocks.count, unknownDim);
    const auto fillIn = [&](std::size_t operand, std::vector<std::int64_t>& into,
                            std::int64_t least, std::string_view what) {
        const auto* items = context.items(operand);
        for (std::size_t i = 0; items != nullptr && i < into.size() && i < items->size(); ++i) {
            if ((*items)[i] != unknownItem && (*items)[i] < least)
                context.fail(std::string(what));
            into[i] = (*items)[i] == unknownItem ? unknownDim : (*items)[i];
        }
    };
    fillIn(1, blocks.sizes, 1, "block_shape must be positive");
    fillIn(2, blocks.cut, 0, isSplit ? "paddings cannot be negative" : "crops cannot be negative");
    return blocks;
}

void rearrange(RuleContext& context, const Blocks& blocks, bool toBatch)
{
    Shape input = context.rankedAtLeast(context.input(0), blocks.count + 1);
    if (input.unknownRank || context.failed())
        return;
    Shape output = input;
    std::int64_t volume = 1;
    for (std::size_t i = 0; i < blocks.count && !context.failed(); ++i) {
        const std::int64_t block = blocks.sizes[i];
        const std::int64_t cut = sum(context, blocks.cut[2 * i], blocks.cut[2 * i + 1]);
        volume = product(context, volume, block);
        const std::int64_t size = input.dims[i + 1];
        output.dims[i + 1] = toBatch ? quotient(context, sum(context, size, cut), block, true)
                                     : difference(context, product(context, size, block), cut);
    }
    output.dims[0] = toBatch ? product(context, input.dims[0], volume)
                             : quotient(context, input.dims[0], volume, true);
    context.set(0, output);
}

void spaceToBatchNd(RuleContext& context)
{
    if (const auto blocks = blocksOf(context, true))
        rearrange(context, *blocks, true);
}

void batchToSpaceNd(RuleContext& context)
{
    if (const auto blocks = blocksOf(context, false))
        rearrange(context, *blocks, false);
}

// Handles the older ops: two spatial dimensions, with the block size as an attribute.
void oneBlock(RuleContext& context, bool toBatch)
{
    const std::int64_t block = context.attrs().integer("block_size");
    const Shape cut = context.ranked(1, 2);
    context.ranked(0, 4);
    context.merge(cut.dims[0], 2);
    context.merge(cut.dims[1], 2);
    if (block < 2) {
        context.fail("Block size should be > 1: " + std::to_string(block));
        return;
    }
    Blocks blocks{.count = 2, .sizes = {block, block}, .cut = {-1, -1, -1, -1}};
    const auto* items = context.items(1);
    for (std::size_t i = 0; items != nullptr && i < 4 && i < items->size(); ++i) {
        if ((*items)[i] != unknownItem && (*items)[i] < 0)
            context.fail(toBatch ? "paddings cannot be negative" : "crops cannot be negative");
        blocks.cut[i] = (*items)[i] == unknownItem ? unknownDim : (*items)[i];
    }
    rearrange(context, blocks, toBatch);
    if (context.input(0).unknownRank)
        context.set(0, unknownDims(4));
}

void spaceToBatch(RuleContext& context)
{
    oneBlock(context, true);
}

void batchToSpace(RuleContext& context)
{
    oneBlock(context, false);
}

void depth(RuleContext& context, bool toDepth)
{
    const std::string_view format = context.attrs().string("data_format", "NHWC");
    const bool isVectors = format == "NCHW_VECT_C"; // four channels in each vector, the last axis
    const Shape input = context.ranked(0, isVectors ? 5 : 4);
    const std::int64_t block = context.attrs().integer("block_size");
    if (block < 2 || block > 1'000'000) {
        context.fail("Block size should be > 1: " + std::to_string(block));
        return;
    }
    if (isVectors)
        context.merge(input.dims[4], 4);
    const ImageAxes axes = imageAxes(format, 4);
    Shape output = input;
    for (std::size_t i = 0; i < 2; ++i) {
        std::int64_t& size = output.dims[axes.firstSpatial + i];
        size = toDepth ? quotient(context, size, block, true) : product(context, size, block);
    }
    std::int64_t& channels = output.dims[axes.channel];
    channels = toDepth ? product(context, channels, block * block)
                       : quotient(context, channels, block * block, true);
    if (isVectors)
        output.dims[4] = 4;
    context.set(0, output);
}

void spaceToDepth(RuleContext& context)
{
    depth(context, true);
}

void depthToSpace(RuleContext& context)
{
    depth(context, false);
}

constexpr ShapeRule spaceTable[] = {
    {"BatchToSpace", batchToSpace},     {"BatchToSpaceND", batchToSpaceNd},
    {"DepthToSpace", depthToSpace},     {"SpaceToBatch", spaceToBatch},
    {"SpaceToBatchND", spaceToBatchNd}, {"SpaceToDepth", spaceToDepth},
};

} // namespace

std::span<const ShapeRule> spaceRules()
{
    return spaceTable;
}

} // namespace lapidary
