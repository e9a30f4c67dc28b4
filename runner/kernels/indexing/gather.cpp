// Gather, GatherV2: the rows of `params` along an axis that `indices` name. The first batch_dims
// axes of both are walked together.
// batch_dims, checked against the shapes; negative ones count from the end of the indices.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/indexing/gather_rows.h"
#include "runner/kernels/indexing/kernels.h"

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

Status run(KernelContext& context)
{
    const Value& params = context.input(0);
    const Value& indices = context.input(1);
    if (params.isScalar())
        return context.error("params must have at least one axis");
    const auto axis = context.inputCount() == 3 ? axisArgument(context, 2, "axis", params.rank())
                                                : Result<int>(0);
    if (!axis)
        return axis.error();
    const auto batch = batchDims(context, axis.value());
    if (!batch)
        return batch.error();
    const auto at = std::size_t(axis.value());
    const auto batches = std::size_t(batch.value());
    Dims dims(params.dims().begin(), params.dims().begin() + axis.value());
    dims.insert(dims.end(), indices.dims().begin() + batch.value(), indices.dims().end());
    dims.insert(dims.end(), params.dims().begin() + axis.value() + 1, params.dims().end());
    auto output = context.makeOutput(0, params.dtype(), std::move(dims));
    if (!output)
        return output.error();
    const GatherPlan plan{.batches = sizeOfAxes(params.dims(), 0, batches),
                          .outer = sizeOfAxes(params.dims(), batches, at),
                          .limit = params.dim(axis.value()),
                          .count = sizeOfAxes(indices.dims(), batches, indices.dims().size()),
                          .inner = sizeOfAxes(params.dims(), at + 1, params.dims().size())};
    return gatherRows(context, params, indices, output.value(), plan);
}

} // namespace

const Kernel kernels::gather{.op = "Gather", .run = run};
const Kernel kernels::gatherV2{.op = "GatherV2", .run = run};

} // namespace lapidary
