// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/reduce/one_axis.h"

#include "runner/kernels/elementwise/wrapping.h"

namespace lapidary {

Result<OneAxis> OneAxis::of(const KernelContext& context)
{
    if (!context.input(1).isScalar())
        return context.error("the axis must be a scalar, but has shape " +
                             dimsText(context.input(1).dims()));
    const Dims& dims = context.input(0).dims();
    const auto rank = std::int64_t(dims.size());
    const std::int64_t axis = context.input(1).integers()[0];
    if (axis < -rank || axis >= rank)
        return context.error("axis " + std::to_string(axis) + " is not in an input with " +
                             std::to_string(rank) + " dimensions");
    OneAxis result;
    result.axis = std::size_t(axis < 0 ? axis + rank : axis);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        std::int64_t& part = i < result.axis   ? result.outer
                             : i > result.axis ? result.inner
                                               : result.size;
        part = wrapping::mul(part, dims[i]); // if a size is 0, it may be too large for int64
    }
    return result;
}

} // namespace lapidary
