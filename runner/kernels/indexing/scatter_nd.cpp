// ScatterNd: a tensor of zeros to which slices are added at index tuples.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/indexing/kernels.h"
#include "runner/kernels/indexing/scatter_slices.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& indices = context.input(0);
    const Value& updates = context.input(1);
    const auto shape = integerVector(context, 2, "the shape");
    if (!shape)
        return shape.error();
    auto output = context.makeOutput(0, updates.dtype(), shape.value());
    if (!output)
        return output.error();
    if (output.value().elements() == 0 && (indices.elements() > 0 || updates.elements() > 0))
        return context.error("there is nowhere to write to in the shape " +
                             dimsText(shape.value()));
    if (const Status fits = checkUpdates(context, indices, updates, shape.value()); !fits)
        return fits;
    const auto at = readSliceNumbers(context, indices, shape.value());
    if (!at)
        return at.error();
    if (const Status status = fillWithZeros(context, output.value()); !status)
        return status;
    return scatterSlices(context, output.value(), at.value(), updates, ScatterMode::Add);
}

} // namespace

const Kernel kernels::scatterNd{.op = "ScatterNd", .run = run};

} // namespace lapidary
