// TensorScatterUpdate, TensorScatterAdd, TensorScatterSub, ScatterNdNonAliasingAdd: the input with
// slices replaced, added or subtracted at index tuples, one after the other.
// The input itself where nobody else needs it, else a copy.
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/indexing/kernels.h"
#include "runner/kernels/indexing/scatter_slices.h"

namespace lapidary {
namespace {

Result<Value> writableInput(KernelContext& context)
{
    if (Value own = context.takeInput(0); own.isSet())
        return own;
    const Value& input = context.input(0);
    auto copy = context.allocate(input.dtype(), input.dims());
    if (!copy)
        return copy;
    const Status status =
        stridedCopy(context, input, copy.value(), {.axes = {{input.elements(), 1, 1}}});
    return status ? copy : Result<Value>(status.error());
}

Status scatter(KernelContext& context, ScatterMode mode)
{
    const Dims dims = context.input(0).dims();
    const Value& indices = context.input(1);
    const Value& updates = context.input(2);
    if (const Status fits = checkUpdates(context, indices, updates, dims); !fits)
        return fits;
    const auto at = readSliceNumbers(context, indices, dims);
    if (!at)
        return at.error();
    auto output = writableInput(context);
    if (!output)
        return output.error();
    const Status status = scatterSlices(context, output.value(), at.value(), updates, mode);
    return status ? context.setOutput(0, std::move(output).value()) : status;
}

Status runUpdate(KernelContext& context)
{
    return scatter(context, ScatterMode::Update);
}

Status runAdd(KernelContext& context)
{
    return scatter(context, ScatterMode::Add);
}

Status runSubtract(KernelContext& context)
{
    return scatter(context, ScatterMode::Subtract);
}

} // namespace

const Kernel kernels::tensorScatterUpdate{.op = "TensorScatterUpdate", .run = runUpdate};
const Kernel kernels::tensorScatterAdd{.op = "TensorScatterAdd", .run = runAdd};
const Kernel kernels::tensorScatterSub{.op = "TensorScatterSub", .run = runSubtract};
const Kernel kernels::scatterNdNonAliasingAdd{.op = "ScatterNdNonAliasingAdd", .run = runAdd};

} // namespace lapidary
