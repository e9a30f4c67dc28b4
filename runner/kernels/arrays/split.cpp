// Split: equal parts along an axis, which is the first input.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/part.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(1);
    const auto axis = axisArgument(context, 0, "split_dim", input.rank());
    if (!axis)
        return axis.error();
    const auto count = std::int64_t(context.outputCount());
    Dims dims = input.dims();
    std::int64_t& size = dims[std::size_t(axis.value())];
    if (count < 1 || size % count != 0)
        return context.error("cannot split axis " + std::to_string(axis.value()) + " of " +
                             dimsText(input.dims()) + " into " + std::to_string(count) +
                             " equal parts");
    size /= count;
    for (std::int64_t i = 0; i < count; ++i) {
        const Status status =
            setPart(context, std::size_t(i), input, axis.value(), i * size, size, dims);
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

const Kernel kernels::split{.op = "Split", .run = run};

} // namespace lapidary
