// SPDX-License-Identifier: Apache-2.0
// Gather, GatherV2: the rows of `params` along an axis that `indices` name. The first batch_dims
// axes of both correspond; a negative batch_dims counts from the end of the indices.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/indexing/gather_rows.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Result<int> batchDims(const KernelContext& context, int axis)
{
    const Value& params = context.input(0);
    const Value& indices = context.input(1);
    const std::int64_t given = context.intAttr("batch_dims");
    const std::int64_t count = given < 0 ? given + indices.rank() : given;
    if (given == 0)
        return 0;
    if (count < 0 || count >= indices.rank() || count >= params.rank() || count > axis)
        return context.error("batch_dims " + std::to_string(given) +
                             " must be less than the ranks of params and indices and not more "
                             "than the axis " +
                             std::to_string(axis));
    for (int i = 0; i < int(count); ++i)
        if (params.dim(i) != indices.dim(i))
            return context.error("params " + dimsText(params.dims()) + " and indices " +
                                 dimsText(indices.dims()) + " must agree in the first " +
                                 std::to_string(count) + " axes");
    return int(count);
}

Status runGather(KernelContext& context)
{
    const Value& params = context.input(0);
    const Value& indices = context.input(1);
    if (params.isScalar())
        return context.error("params must have at least one axis");
    ASSIGN_OR_RETURN(const auto axis, context.inputCount() == 3
                                          ? axisArgument(context, 2, "axis", params.rank())
                                          : Result<int>(0));
    ASSIGN_OR_RETURN(const auto batch, batchDims(context, axis));
    const auto at = std::size_t(axis);
    const auto batches = std::size_t(batch);
    Dims dims(params.dims().begin(), params.dims().begin() + axis);
    dims.insert(dims.end(), indices.dims().begin() + batch, indices.dims().end());
    dims.insert(dims.end(), params.dims().begin() + axis + 1, params.dims().end());
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, params.dtype(), std::move(dims)));
    const GatherPlan plan{.batches = sizeOfAxes(params.dims(), 0, batches),
                          .outer = sizeOfAxes(params.dims(), batches, at),
                          .limit = params.dim(axis),
                          .count = sizeOfAxes(indices.dims(), batches, indices.dims().size()),
                          .inner = sizeOfAxes(params.dims(), at + 1, params.dims().size())};
    return gatherRows(context, params, indices, output, plan);
}

} // namespace

LAPIDARY_KERNEL(Gather, runGather);
LAPIDARY_KERNEL(GatherV2, runGather);

} // namespace lapidary
