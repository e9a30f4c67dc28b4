// SPDX-License-Identifier: Apache-2.0
// ScatterNd: a tensor of zeros to which slices are added at index tuples.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/indexing/scatter_slices.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runScatterNd(KernelContext& context)
{
    const Value& indices = context.input(0);
    const Value& updates = context.input(1);
    const auto shape = integerVector(context, 2, "the shape");
    RETURN_IF_ERROR(shape);
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, updates.dtype(), *shape));
    if (output.elements() == 0 && (indices.elements() > 0 || updates.elements() > 0))
        return context.error("there is nowhere to write to in the shape " + dimsText(*shape));
    RETURN_IF_ERROR(checkUpdates(context, indices, updates, *shape));
    ASSIGN_OR_RETURN(const auto at, readSliceNumbers(context, indices, *shape));
    RETURN_IF_ERROR(fillWithZeros(context, output));
    return scatterSlices(context, output, at, updates, ScatterMode::Add);
}

} // namespace

LAPIDARY_KERNEL(ScatterNd, runScatterNd);

} // namespace lapidary
