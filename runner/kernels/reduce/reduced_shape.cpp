// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/reduce/reduced_shape.h"

#include "runner/kernels/elementwise/wrapping.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<std::vector<bool>> reducedAxes(const KernelContext& context)
{
    const int rank = context.input(0).rank();
    std::vector<bool> reduced(std::size_t(rank), false);
    for (const std::int64_t axis : context.input(1).integers()) {
        if (axis < -rank || axis >= rank)
            return context.error("cannot reduce axis " + std::to_string(axis) +
                                 " of an input with " + std::to_string(rank) + " dimensions");
        reduced[std::size_t(axis < 0 ? axis + rank : axis)] = true;
    }
    return reduced;
}

} // namespace

Result<ReducedShape> ReducedShape::of(const KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto reduced, reducedAxes(context));
    const Dims& dims = context.input(0).dims();
    const bool keeps = context.boolAttr("keep_dims");
    ReducedShape shape;
    shape.inputIsEmpty = context.input(0).elements() == 0;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        const bool isReduced = reduced[axis];
        std::int64_t& product = isReduced ? shape.count : shape.outputs;
        product = wrapping::mul(product, dims[axis]); // if a size is 0, it may be too large
        if (!isReduced || keeps)
            shape.output.push_back(isReduced ? 1 : dims[axis]);
    }
    std::int64_t step = 1;
    for (std::size_t axis = dims.size(); axis-- > 0;) {
        const bool isReduced = reduced[axis];
        const Axis next{dims[axis], isReduced ? 0 : step};
        if (!isReduced)
            step = wrapping::mul(step, dims[axis]);
        if (next.size == 1)
            continue;
        if (!shape.axes.empty() && (shape.axes.back().outStep == 0) == isReduced)
            shape.axes.back().size = wrapping::mul(shape.axes.back().size, next.size);
        else
            shape.axes.push_back(next);
    }
    if (shape.axes.empty())
        shape.axes.push_back({});
    std::ranges::reverse(shape.axes);
    return shape;
}

} // namespace lapidary
