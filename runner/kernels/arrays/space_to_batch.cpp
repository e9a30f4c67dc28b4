// SPDX-License-Identifier: Apache-2.0
// Moves between spatial dimensions and the batch.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/block_spec.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// SpaceToBatch, SpaceToBatchND: pads the axes 1..M, cuts them into blocks and moves the positions
// in a block to the batch axis, before the batch.
Status runSpaceToBatch(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto read, readBlockSpec(context, "paddings"));
    const BlockSpec& spec = read;
    Dims dims = input.dims();
    dims[0] = cappedProduct(dims[0], spec.product);
    bool isPadded = false;
    for (std::size_t i = 0; i < spec.block.size(); ++i) {
        const std::int64_t pads = cappedSum(spec.pairs[2 * i], spec.pairs[2 * i + 1]);
        const std::int64_t size = cappedSum(dims[i + 1], pads);
        if (size % spec.block[i] != 0)
            return context.error("axis " + std::to_string(i + 1) + " has " + std::to_string(size) +
                                 " elements with its padding, no multiple of the block size " +
                                 std::to_string(spec.block[i]));
        isPadded = isPadded || pads > 0;
        dims[i + 1] = size / spec.block[i];
    }
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    if (isPadded)
        RETURN_IF_ERROR(fillWithZeros(context, output.value()));
    for (std::int64_t place = 0; place < spec.product; ++place) {
        const Status status = stridedCopy(context, input, output.value(),
                                          planOfBlockPlace(spec, input.dims(), dims, place));
        if (!status)
            return status;
    }
    return Done{};
}

// BatchToSpace, BatchToSpaceND: the inverse of SpaceToBatch; crops the border that it pads.
Status runBatchToSpace(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto read, readBlockSpec(context, "crops"));
    const BlockSpec& spec = read;
    Dims dims = input.dims();
    if (dims[0] % spec.product != 0)
        return context.error("the batch of " + std::to_string(dims[0]) +
                             " is not a multiple of the block's " + std::to_string(spec.product) +
                             " places");
    dims[0] /= spec.product;
    for (std::size_t i = 0; i < spec.block.size(); ++i) {
        const std::int64_t crops = cappedSum(spec.pairs[2 * i], spec.pairs[2 * i + 1]);
        dims[i + 1] = cappedProduct(dims[i + 1], spec.block[i]) - crops;
        if (dims[i + 1] < 0)
            return context.error("axis " + std::to_string(i + 1) + " has fewer elements than the " +
                                 std::to_string(crops) + " to crop");
    }
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    for (std::int64_t place = 0; place < spec.product; ++place) {
        CopyPlan plan = planOfBlockPlace(spec, dims, input.dims(), place);
        for (CopyAxis& axis : plan.axes)
            std::swap(axis.from, axis.to);
        std::swap(plan.fromOffset, plan.toOffset);
        const Status status = stridedCopy(context, input, output.value(), std::move(plan));
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(SpaceToBatch, runSpaceToBatch);
LAPIDARY_KERNEL(SpaceToBatchND, runSpaceToBatch);
LAPIDARY_KERNEL(BatchToSpace, runBatchToSpace);
LAPIDARY_KERNEL(BatchToSpaceND, runBatchToSpace);

} // namespace lapidary
