// RestoreV2(prefix, names, slices) -> tensors of a checkpoint of either version.
#include "runner/kernels/checkpoints/kernels.h"
#include "runner/kernels/checkpoints/stored_tensor.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto dtypes = context.attr("dtypes").types();
    if (context.input(0).elements() != 1)
        return context.error("the prefix is not one string, but " +
                             dimsText(context.input(0).dims()));
    for (std::size_t input = 1; input < 3; ++input)
        if (std::size_t(context.input(input).elements()) != dtypes.size())
            return context.error(std::to_string(dtypes.size()) + " tensors are asked for, but " +
                                 std::to_string(context.input(input).elements()) +
                                 " names or slices are given");
    const auto checkpoint = checkpointInput(context, 0);
    if (!checkpoint)
        return checkpoint.error();
    for (std::size_t i = 0; i < dtypes.size(); ++i) {
        if (context.job().cancelled())
            return Error{ErrorCode::Cancelled, "stopped"};
        auto value = storedTensor(context, *checkpoint.value(), context.input(1).strings()[i],
                                  context.input(2).strings()[i], dtypes[i]);
        if (!value)
            return value.error();
        if (const Status set = context.setOutput(i, std::move(value).value()); !set)
            return set;
    }
    return Done{};
}

} // namespace

const Kernel kernels::restoreV2{.op = "RestoreV2", .run = run};

} // namespace lapidary
