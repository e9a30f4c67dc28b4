// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/arrays/block_spec.h"

#include "runner/kernels/arrays/arguments.h"

#include <algorithm>

namespace lapidary {
namespace {

// TensorFlow takes at most 4 block axes, not counting unchanged ones at the front and back.
bool hasTooManyAxes(const BlockSpec& spec)
{
    constexpr std::size_t mostAxes = 4;
    const auto isPlain = [&](std::size_t i) {
        return spec.block[i] == 1 && spec.pairs[2 * i] == 0 && spec.pairs[2 * i + 1] == 0;
    };
    std::size_t first = 0;
    std::size_t last = spec.block.size();
    while (first < last && isPlain(first))
        ++first;
    while (last > first && isPlain(last - 1))
        --last;
    return last - first > mostAxes;
}

} // namespace

Result<BlockSpec> readBlockSpec(const KernelContext& context, std::string_view pairsName)
{
    BlockSpec spec;
    const bool isGeneral = context.inputCount() == 3;
    const int rank = context.input(0).rank();
    if (isGeneral) {
        ASSIGN_OR_RETURN(auto block, integerVector(context, 1, "block_shape"));
        spec.block = std::move(block);
    } else {
        constexpr int imageRank = 4;
        if (rank != imageRank)
            return context.error("the input must have 4 axes, but its shape is " +
                                 dimsText(context.input(0).dims()));
        spec.block.assign(2, context.intAttr("block_size"));
    }
    if (rank < 1 + int(spec.block.size()))
        return context.error("the input must have more axes than the block (" +
                             std::to_string(spec.block.size()) + "), but its shape is " +
                             dimsText(context.input(0).dims()));
    for (const std::int64_t size : spec.block) {
        if (size < 1)
            return context.error("block sizes must be positive: " + std::to_string(size));
        spec.product = cappedProduct(spec.product, size);
    }
    ASSIGN_OR_RETURN(auto pairs, sizePairs(context, context.inputCount() - 1, pairsName,
                                           std::int64_t(spec.block.size())));
    spec.pairs = std::move(pairs);
    if (hasTooManyAxes(spec))
        return context.error("at most 4 axes can be cut into blocks");
    return spec;
}

CopyPlan planOfBlockPlace(const BlockSpec& spec, const Dims& space, const Dims& blocks,
                          std::int64_t place)
{
    const Dims from = rowMajorStrides(space);
    const Dims to = rowMajorStrides(blocks);
    CopyPlan plan{.axes = {{space[0], from[0], to[0]}}, .toOffset = place * space[0] * to[0]};
    for (std::size_t i = space.size(); i-- > 1;) {
        if (i > spec.block.size()) {
            plan.axes.push_back({space[i], from[i], to[i]});
            continue;
        }
        const std::int64_t block = spec.block[i - 1];
        const std::int64_t before = spec.pairs[2 * (i - 1)];
        const std::int64_t part = place % block;
        place /= block;
        // step k is at k * block + part - before in the space
        const std::int64_t first = std::max<std::int64_t>(0, (before - part + block - 1) / block);
        const std::int64_t room = before + space[i] - part + block - 1;
        const std::int64_t last = std::min(blocks[i], std::max<std::int64_t>(0, room) / block);
        plan.axes.push_back({std::max<std::int64_t>(0, last - first), block * from[i], to[i]});
        plan.fromOffset += (first * block + part - before) * from[i];
        plan.toOffset += first * to[i];
    }
    return plan;
}

} // namespace lapidary
