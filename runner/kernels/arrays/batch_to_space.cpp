// BatchToSpace, BatchToSpaceND: the inverse of SpaceToBatch; crops what that one pads.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/block_spec.h"
#include "runner/kernels/arrays/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto read = readBlockSpec(context, "crops");
    if (!read)
        return read.error();
    const BlockSpec& spec = read.value();
    Dims dims = input.dims();
    if (dims[0] % spec.product != 0)
        return context.error("the batch of " + std::to_string(dims[0]) +
                             " is no multiple of the block's " + std::to_string(spec.product) +
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

const Kernel kernels::batchToSpace{.op = "BatchToSpace", .run = run};
const Kernel kernels::batchToSpaceND{.op = "BatchToSpaceND", .run = run};

} // namespace lapidary
