// SplitV: parts of given sizes along an axis; one size may be -1: what the others leave.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/part.h"

namespace lapidary {
namespace {

Status inferSize(const KernelContext& context, std::vector<std::int64_t>& sizes, std::int64_t whole)
{
    std::int64_t* unknown = nullptr;
    std::int64_t sum = 0;
    for (std::int64_t& size : sizes) {
        if (size < -1 || (size == -1 && unknown != nullptr))
            return context.error("one size may be -1, the others must not be negative: " +
                                 std::to_string(size));
        if (size == -1)
            unknown = &size;
        else
            sum = cappedSum(sum, size);
    }
    if (unknown == nullptr ? sum != whole : sum > whole)
        return context.error("the sizes sum up to " + std::to_string(sum) +
                             ", but the axis has the size " + std::to_string(whole));
    if (unknown != nullptr)
        *unknown = whole - sum;
    return Done{};
}

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    auto sizes = integerVector(context, 1, "size_splits");
    if (!sizes)
        return sizes.error();
    if (sizes.value().size() != context.outputCount())
        return context.error("size_splits must have " + std::to_string(context.outputCount()) +
                             " sizes, not " + std::to_string(sizes.value().size()));
    if (context.input(2).elements() != 1)
        return context.error("split_dim must be a scalar, but its shape is " +
                             dimsText(context.input(2).dims()));
    const auto axis = resolveAxis(context, context.input(2).integers().front(), input.rank());
    if (!axis)
        return axis.error();
    const std::int64_t whole = input.dim(axis.value());
    if (sizes.value().size() == 1 && sizes.value()[0] != whole)
        return context.error("the only part must have the size of the input, " +
                             std::to_string(whole));
    if (const Status status = inferSize(context, sizes.value(), whole); !status)
        return status;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < sizes.value().size(); ++i) {
        Dims dims = input.dims();
        dims[std::size_t(axis.value())] = sizes.value()[i];
        const Status status =
            setPart(context, i, input, axis.value(), begin, sizes.value()[i], std::move(dims));
        if (!status)
            return status;
        begin += sizes.value()[i];
    }
    return Done{};
}

} // namespace

const Kernel kernels::splitV{.op = "SplitV", .run = run};

} // namespace lapidary
