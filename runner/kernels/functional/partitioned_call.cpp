// PartitionedCall, StatefulPartitionedCall: f(args), running only what its results need.
// RemoteCall: the same on the device that input 0 names; all devices are this one.
#include "runner/kernels/functional/kernels.h"
#include "runner/kernels/functional/library_call.h"

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

const Kernel kernels::partitionedCall{.op = "PartitionedCall", .proceed = proceed<0>};
const Kernel kernels::statefulPartitionedCall{.op = "StatefulPartitionedCall",
                                              .proceed = proceed<0>};
const Kernel kernels::remoteCall{.op = "RemoteCall", .proceed = proceed<1>};

} // namespace lapidary
