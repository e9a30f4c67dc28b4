// SPDX-License-Identifier: Apache-2.0
// UnravelIndex: indices into the flat array of a tensor of shape `dims` as coordinates, one column
// each.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runUnravelIndex(KernelContext& context)
{
    const Value& indices = context.input(0);
    const auto dims = integerVector(context, 1, "dims");
    RETURN_IF_ERROR(dims);
    if (indices.rank() > 1)
        return context.error("indices must be a scalar or a vector, but their shape is " +
                             dimsText(indices.dims()));
    for (const std::int64_t size : *dims)
        if (size <= 0)
            return context.error("the sizes of dims must be positive: " + std::to_string(size));
    const std::vector<std::int64_t> flat = indices.integers();
    const std::size_t rank = dims->size();
    std::vector<std::int64_t> rows(rank * flat.size());
    std::int64_t stride = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
        const std::int64_t size = (*dims)[axis];
        for (std::size_t i = 0; i < flat.size(); ++i)
            rows[axis * flat.size() + i] = flat[i] / stride % size;
        stride = cappedProduct(stride, size);
    }
    Dims shape{std::int64_t(rank)};
    if (!indices.isScalar())
        shape.push_back(std::int64_t(flat.size()));
    return setIntegers(context, 0, indices.dtype(), std::move(shape), rows);
}

} // namespace

LAPIDARY_KERNEL(UnravelIndex, runUnravelIndex);

} // namespace lapidary
