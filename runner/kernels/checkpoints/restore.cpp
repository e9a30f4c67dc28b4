// Restore(pattern, name) -> one tensor of a checkpoint.
#include "runner/kernels/checkpoints/kernels.h"
#include "runner/kernels/checkpoints/stored_tensor.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto name = stringInput(context, 1, 0);
    if (!name)
        return name.error();
    const auto checkpoint = checkpointInput(context, 0);
    if (!checkpoint)
        return checkpoint.error();
    auto value =
        storedTensor(context, *checkpoint.value(), name.value(), "", context.typeAttr("dt"));
    return value ? context.setOutput(0, std::move(value).value()) : value.error();
}

} // namespace

const Kernel kernels::restore{.op = "Restore", .run = run};

} // namespace lapidary
