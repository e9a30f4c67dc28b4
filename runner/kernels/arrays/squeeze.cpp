// Squeeze: drops axes of size 1, all of them or those of `squeeze_dims`. The data is shared.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    std::vector<bool> dropped(input.dims().size());
    for (const std::int64_t axis : context.attr("squeeze_dims").ints()) {
        const auto resolved = resolveAxis(context, axis, input.rank());
        if (!resolved)
            return resolved.error();
        if (input.dim(resolved.value()) != 1)
            return context.error("cannot drop axis " + std::to_string(axis) + " of " +
                                 dimsText(input.dims()) + ": its size is not 1");
        dropped[std::size_t(resolved.value())] = true;
    }
    const bool any = !context.attr("squeeze_dims").ints().empty();
    Dims dims;
    for (std::size_t i = 0; i < dropped.size(); ++i)
        if (any ? !dropped[i] : input.dims()[i] != 1)
            dims.push_back(input.dims()[i]);
    return context.setOutput(0, input.reshaped(std::move(dims)));
}

} // namespace

const Kernel kernels::squeeze{.op = "Squeeze", .run = run};

} // namespace lapidary
