// SPDX-License-Identifier: Apache-2.0
// Reading tensors of a checkpoint.
#include "runner/kernels/checkpoints/stored_tensor.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Restore(pattern, name) -> one tensor of a checkpoint.
Status runRestore(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto name, stringInput(context, 1, 0));
    ASSIGN_OR_RETURN(const auto checkpoint, checkpointInput(context, 0));
    auto value = storedTensor(context, *checkpoint, name, "", context.typeAttr("dt"));
    return value ? context.setOutput(0, std::move(value).value()) : value.error();
}

// RestoreSlice(pattern, name, shape and slice) -> a part of one tensor of a checkpoint.
Status runRestoreSlice(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto name, stringInput(context, 1, 0));
    ASSIGN_OR_RETURN(const auto slice, stringInput(context, 2, 0));
    ASSIGN_OR_RETURN(const auto checkpoint, checkpointInput(context, 0));
    auto value = storedTensor(context, *checkpoint, name, slice, context.typeAttr("dt"));
    return value ? context.setOutput(0, std::move(value).value()) : value.error();
}

// RestoreV2(prefix, names, slices) -> tensors of a checkpoint of either version.
Status runRestoreV2(KernelContext& context)
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
    ASSIGN_OR_RETURN(const auto checkpoint, checkpointInput(context, 0));
    for (std::size_t i = 0; i < dtypes.size(); ++i) {
        if (context.job().cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(auto value,
                         storedTensor(context, *checkpoint, context.input(1).strings()[i],
                                      context.input(2).strings()[i], dtypes[i]));
        RETURN_IF_ERROR(context.setOutput(i, std::move(value)));
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Restore, runRestore);
LAPIDARY_KERNEL(RestoreSlice, runRestoreSlice);
LAPIDARY_KERNEL(RestoreV2, runRestoreV2);

} // namespace lapidary
