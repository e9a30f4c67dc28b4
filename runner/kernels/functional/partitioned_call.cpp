// SPDX-License-Identifier: Apache-2.0
// PartitionedCall, StatefulPartitionedCall: f(args), running only the nodes that its results need.
// RemoteCall: the same on the device that input 0 names; all devices are this one.
#include "runner/kernels/functional/proceeds.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

template <std::size_t firstArgument>
Result<std::optional<FunctionCall>> callPruned(KernelContext& context, CallProgress& progress)
{
    if (progress.calls == 0)
        return std::optional(FunctionCall{
            .attr = "f", .arguments = inputsFrom(context, firstArgument), .prunes = true});
    RETURN_IF_ERROR(giveResults(context, progress.results));
    return std::optional<FunctionCall>();
}

} // namespace

Result<std::optional<FunctionCall>> proceeds::partitionedCall(KernelContext& context,
                                                              CallProgress& progress)
{
    return callPruned<0>(context, progress);
}

Result<std::optional<FunctionCall>> proceeds::remoteCall(KernelContext& context,
                                                         CallProgress& progress)
{
    return callPruned<1>(context, progress);
}

LAPIDARY_KERNEL(PartitionedCall, cannotRunAlone);
LAPIDARY_KERNEL(StatefulPartitionedCall, cannotRunAlone);
LAPIDARY_KERNEL(RemoteCall, cannotRunAlone);

} // namespace lapidary
