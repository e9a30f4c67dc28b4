// ConcatV2: joins tensors along an axis, which is the last input. ParallelConcat: along the first
// axis.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/join.h"
#include "runner/kernels/arrays/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const std::size_t count = context.inputCount() - 1;
    const auto axis = integerScalar(context, count, "the axis");
    return axis ? joinInputs(context, 0, count, axis.value()) : axis.error();
}

Status runParallel(KernelContext& context)
{
    return joinInputs(context, 0, context.inputCount(), 0);
}

} // namespace

const Kernel kernels::concatV2{.op = "ConcatV2", .run = run};
const Kernel kernels::parallelConcat{.op = "ParallelConcat", .run = runParallel};

} // namespace lapidary
