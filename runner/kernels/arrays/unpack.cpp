// Unpack: one output a step along `axis`, without that axis.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/part.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto axis = resolveAxis(context, context.intAttr("axis"), input.rank());
    if (!axis)
        return axis.error();
    const std::int64_t count = context.intAttr("num");
    if (input.dim(axis.value()) != count)
        return context.error("axis " + std::to_string(axis.value()) + " of " +
                             dimsText(input.dims()) + " must have the size " +
                             std::to_string(count));
    Dims dims = input.dims();
    dims.erase(dims.begin() + axis.value());
    for (std::int64_t i = 0; i < count; ++i) {
        const Status status = setPart(context, std::size_t(i), input, axis.value(), i, 1, dims);
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

const Kernel kernels::unpack{.op = "Unpack", .run = run};

} // namespace lapidary
