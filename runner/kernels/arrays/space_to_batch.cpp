// SpaceToBatch, SpaceToBatchND: pads the axes 1..M, cuts them into blocks and puts the places of a
// block in front of the batch.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/block_spec.h"
#include "runner/kernels/arrays/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto read = readBlockSpec(context, "paddings");
    if (!read)
        return read.error();
    const BlockSpec& spec = read.value();
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
        if (const Status status = fillWithZeros(context, output.value()); !status)
            return status;
    for (std::int64_t place = 0; place < spec.product; ++place) {
        const Status status = stridedCopy(context, input, output.value(),
                                          planOfBlockPlace(spec, input.dims(), dims, place));
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

const Kernel kernels::spaceToBatch{.op = "SpaceToBatch", .run = run};
const Kernel kernels::spaceToBatchND{.op = "SpaceToBatchND", .run = run};

} // namespace lapidary
