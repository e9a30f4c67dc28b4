// PartitionedCall, StatefulPartitionedCall: f(args), running only what its results need.
// RemoteCall: the same on the device that input 0 names; all devices are this one.
#include "runner/kernels/functional/kernels.h"
#include "runner/kernels/functional/proceeds.h"

namespace lapidary {
namespace {

template <std::size_t firstArgument>
Result<std::optional<FunctionCall>> proceed(KernelContext& context, CallProgress& progress)
{
    if (progress.calls == 0)
        return std::optional(FunctionCall{
            .attr = "f", .arguments = inputsFrom(context, firstArgument), .prunes = true});
    if (const Status status = giveResults(context, progress.results); !status)
        return status.error();
    return std::optional<FunctionCall>();
}

} // namespace

Result<std::optional<FunctionCall>> proceeds::partitionedCall(KernelContext& context,
                                                              CallProgress& progress)
{
    return proceed<0>(context, progress);
}

Result<std::optional<FunctionCall>> proceeds::remoteCall(KernelContext& context,
                                                         CallProgress& progress)
{
    return proceed<1>(context, progress);
}

const Kernel kernels::partitionedCall{.op = "PartitionedCall", .run = cannotRunAlone};
const Kernel kernels::statefulPartitionedCall{.op = "StatefulPartitionedCall",
                                              .run = cannotRunAlone};
const Kernel kernels::remoteCall{.op = "RemoteCall", .run = cannotRunAlone};

} // namespace lapidary
