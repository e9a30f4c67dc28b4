// SPDX-License-Identifier: Apache-2.0
// SparseTensorDenseAdd: a dense tensor plus a sparse one of the same shape; integers wrap.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns the flat index in a dense tensor of each row of the matrix of indices.
Result<std::vector<std::int64_t>> offsetsOf(const KernelContext& context, const Dims& dims)
{
    const std::vector<std::int64_t> indices = context.input(0).integers();
    std::vector<std::int64_t> offsets(std::size_t(context.input(0).dim(0)), 0);
    for (std::size_t row = 0; row < offsets.size(); ++row)
        for (std::size_t axis = 0; axis < dims.size(); ++axis) {
            const std::int64_t index = indices[row * dims.size() + axis];
            if (index < 0 || index >= dims[axis])
                return context.error("index " + std::to_string(index) + " in row " +
                                     std::to_string(row) + " of a_indices is not in an axis of " +
                                     std::to_string(dims[axis]));
            offsets[row] = offsets[row] * dims[axis] + index;
        }
    return offsets;
}

Status runSparseTensorDenseAdd(KernelContext& context)
{
    const Value& indices = context.input(0);
    const Value& values = context.input(1);
    const Value& b = context.input(3);
    if (indices.dim(0) != values.dim(0) || indices.dim(1) != b.rank())
        return context.error("a_indices of shape " + dimsText(indices.dims()) + " do not fit " +
                             std::to_string(values.dim(0)) + " values and a tensor of rank " +
                             std::to_string(b.rank()));
    if (context.input(2).integers() != b.dims())
        return context.error("a_shape must be the shape of b, " + dimsText(b.dims()));
    ASSIGN_OR_RETURN(const auto offsets, offsetsOf(context, b.dims()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, b.dtype(), b.dims()));
    const bool known = dispatch(Numbers(), b.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto y = made.template mutableAs<T>();
        std::ranges::copy(b.as<T>(), y.begin());
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            T& element = y[std::size_t(offsets[i])];
            element = T(wrapping::add(wide(element), wide(values.as<T>()[i])));
        }
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(b.dtype()));
}

} // namespace

LAPIDARY_KERNEL(SparseTensorDenseAdd, runSparseTensorDenseAdd,
                .ranks = {Rank::Matrix, Rank::Vector, Rank::Vector});

} // namespace lapidary
