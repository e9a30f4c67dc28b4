// SPDX-License-Identifier: Apache-2.0
// TensorScatterUpdate, TensorScatterAdd, TensorScatterSub, ScatterNdNonAliasingAdd: the input with
// slices replaced, added or subtracted at index tuples, one after the other. InplaceUpdate,
// InplaceAdd, InplaceSub: the same for rows; a row number is taken modulo the number of rows.
// They change the input itself if nothing else needs it, otherwise a copy.
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/indexing/scatter_slices.h"
#include "runner/kernels/kernel.h"

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
    const Status status = stridedCopy(context, input, *copy, {.axes = {{input.elements(), 1, 1}}});
    return status ? copy : Result<Value>(status.error());
}

Status scatter(KernelContext& context, ScatterMode mode)
{
    const Dims dims = context.input(0).dims();
    const Value& indices = context.input(1);
    const Value& updates = context.input(2);
    RETURN_IF_ERROR(checkUpdates(context, indices, updates, dims));
    ASSIGN_OR_RETURN(const auto at, readSliceNumbers(context, indices, dims));
    ASSIGN_OR_RETURN(auto output, writableInput(context));
    const Status status = scatterSlices(context, output, at, updates, mode);
    return status ? context.setOutput(0, std::move(output)) : status;
}

// Combines row i[k] of x with v[k], for the inputs x, i, v; if i is a scalar, v has no axis for it.
Status scatterRows(KernelContext& context, ScatterMode mode)
{
    const Dims dims = context.input(0).dims();
    const Value& indices = context.input(1);
    if (dims.empty() || dims[0] == 0 || indices.rank() > 1)
        return context.error("there are no such rows in the shape " + dimsText(dims));
    Dims expected = dims;
    expected[0] = indices.elements();
    const Value& v = context.input(2);
    Dims given = v.dims();
    if (indices.isScalar() && given.size() + 1 == dims.size())
        given.insert(given.begin(), 1);
    if (given != expected)
        return context.error("v must have the shape " + dimsText(expected) + ", not " +
                             dimsText(v.dims()));
    const Value updates = v.reshaped(expected);
    SliceNumbers at{.slices = dims[0], .elements = context.input(0).elements() / dims[0]};
    for (const std::int64_t row : indices.integers())
        at.numbers.push_back((row % dims[0] + dims[0]) % dims[0]);
    ASSIGN_OR_RETURN(auto output, writableInput(context));
    const Status status = scatterSlices(context, output, at, updates, mode);
    return status ? context.setOutput(0, std::move(output)) : status;
}

Status runRowUpdate(KernelContext& context)
{
    return scatterRows(context, ScatterMode::Update);
}

Status runRowAdd(KernelContext& context)
{
    return scatterRows(context, ScatterMode::Add);
}

Status runRowSubtract(KernelContext& context)
{
    return scatterRows(context, ScatterMode::Subtract);
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

LAPIDARY_KERNEL(TensorScatterUpdate, runUpdate);
LAPIDARY_KERNEL(TensorScatterAdd, runAdd);
LAPIDARY_KERNEL(TensorScatterSub, runSubtract);
LAPIDARY_KERNEL(InplaceUpdate, runRowUpdate);
LAPIDARY_KERNEL(InplaceAdd, runRowAdd);
LAPIDARY_KERNEL(InplaceSub, runRowSubtract);
LAPIDARY_KERNEL(ScatterNdNonAliasingAdd, runAdd);

} // namespace lapidary
