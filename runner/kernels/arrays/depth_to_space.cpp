// SPDX-License-Identifier: Apache-2.0
// SpaceToDepth: the pixels of each block of an NHWC image become channels. DepthToSpace: the
// reverse. Returns the block size for an input that TensorFlow's CPU kernel takes.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

#include <limits>

namespace lapidary {
namespace {

Result<std::int64_t> blockOf(const KernelContext& context)
{
    const Value& input = context.input(0);
    const std::string_view format = context.stringAttr("data_format", "NHWC");
    if (format != "NHWC")
        return context.error("data_format must be NHWC on the CPU, not " + std::string(format));
    if (input.rank() != 4)
        return context.error("the input must have 4 axes, but its shape is " +
                             dimsText(input.dims()));
    const std::int64_t block = context.intAttr("block_size");
    if (block < 2 || block > std::numeric_limits<std::int32_t>::max())
        return context.error("block_size must be at least 2, not " + std::to_string(block));
    return block;
}

// `wide` is the image, `deep` the one with more channels.
CopyPlan wideToDeep(const Dims& wide, const Dims& deep, std::int64_t block)
{
    const Dims from = rowMajorStrides(wide);
    const Dims to = rowMajorStrides(deep);
    const std::int64_t channels = wide[3];
    return {.axes = {{deep[0], from[0], to[0]},
                     {deep[1], from[1] * block, to[1]},
                     {block, from[1], block * channels},
                     {deep[2], from[2] * block, to[2]},
                     {block, from[2], channels},
                     {channels, 1, 1}}};
}

Status runSpaceToDepth(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto read, blockOf(context));
    const std::int64_t block = read;
    Dims dims = input.dims();
    if (dims[1] % block != 0 || dims[2] % block != 0)
        return context.error("height and width of " + dimsText(dims) +
                             " must be multiples of the block size " + std::to_string(block));
    dims = {dims[0], dims[1] / block, dims[2] / block, cappedProduct(dims[3], block * block)};
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    return stridedCopy(context, input, output.value(), wideToDeep(input.dims(), dims, block));
}

Status runBack(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto read, blockOf(context));
    const std::int64_t block = read;
    Dims dims = input.dims();
    if (dims[3] % (block * block) != 0)
        return context.error("the depth of " + dimsText(dims) + " must be a multiple of " +
                             std::to_string(block * block));
    dims = {dims[0], cappedProduct(dims[1], block), cappedProduct(dims[2], block),
            dims[3] / (block * block)};
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    CopyPlan plan = wideToDeep(dims, input.dims(), block);
    for (CopyAxis& axis : plan.axes)
        std::swap(axis.from, axis.to);
    return stridedCopy(context, input, output.value(), std::move(plan));
}

} // namespace

LAPIDARY_KERNEL(SpaceToDepth, runSpaceToDepth);
LAPIDARY_KERNEL(DepthToSpace, runBack);

} // namespace lapidary
