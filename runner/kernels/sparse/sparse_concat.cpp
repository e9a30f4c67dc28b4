// SPDX-License-Identifier: Apache-2.0
// SparseConcat: sparse tensors one after the other along an axis, in row-major order.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<std::vector<SparseTensor>> tensorsOf(const KernelContext& context)
{
    const std::size_t count = context.inputCount() / 3;
    std::vector<SparseTensor> tensors;
    for (std::size_t i = 0; i < count; ++i) {
        ASSIGN_OR_RETURN(auto tensor, sparseTensor(context, i, count + i, 2 * count + i));
        RETURN_IF_ERROR(checkInside(context, tensor));
        tensors.push_back(std::move(tensor));
    }
    if (tensors.empty())
        return context.error("has no inputs");
    return tensors;
}

Result<Dims> shapeOfAll(const KernelContext& context, const std::vector<SparseTensor>& tensors,
                        std::size_t axis)
{
    Dims shape = tensors[0].shape;
    shape[axis] = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        Dims other = tensors[i].shape;
        if (other.size() != shape.size())
            return context.error("sparse tensor " + std::to_string(i) + " has " +
                                 std::to_string(other.size()) + " axes, not " +
                                 std::to_string(shape.size()));
        shape[axis] = cappedSum(shape[axis], other[axis]);
        other[axis] = shape[axis];
        if (other != shape)
            return context.error("the shape " + dimsText(tensors[i].shape) + " of sparse tensor " +
                                 std::to_string(i) + " differs from the first, " +
                                 dimsText(tensors[0].shape) + ", in another axis than " +
                                 std::to_string(axis));
    }
    return shape;
}

// Writes all entries into one tensor, with their indices shifted to the start of their tensor.
Status joinEntries(const std::vector<SparseTensor>& tensors, std::size_t axis, Value& indices,
                   Value& values)
{
    const std::size_t rank = tensors[0].rank();
    auto to = indices.mutableAs<std::int64_t>();
    std::int64_t start = 0;
    std::size_t at = 0;
    for (const SparseTensor& tensor : tensors) {
        for (std::int64_t i = 0; i < tensor.count(); ++i) {
            stopPoint();
            std::ranges::copy(tensor.index(i), to.begin());
            to[axis] += start;
            to = to.subspan(rank);
        }
        dispatchBySize(values.dtype(), [&](auto zero) {
            using T = decltype(zero);
            std::ranges::copy(readElements<T>(*tensor.values),
                              writeElements<T>(values).begin() + std::ptrdiff_t(at));
        });
        at += std::size_t(tensor.count());
        start += tensor.shape[axis];
    }
    return Done{};
}

Status runSparseConcat(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto tensors, tensorsOf(context));
    ASSIGN_OR_RETURN(const int axis,
                     resolveAxis(context, context.intAttr("concat_dim"), int(tensors[0].rank())));
    ASSIGN_OR_RETURN(const auto shape, shapeOfAll(context, tensors, std::size_t(axis)));
    std::int64_t count = 0;
    for (const SparseTensor& tensor : tensors)
        count += tensor.count();
    const DType dtype = tensors[0].values->dtype();
    ASSIGN_OR_RETURN(auto indices,
                     context.allocate(DType::Int64, {count, std::int64_t(shape.size())}));
    auto values =
        dtype == DType::String
            ? Result<Value>(Value::ofStrings({count}, std::vector<std::string>(std::size_t(count))))
            : context.allocate(dtype, {count});
    RETURN_IF_ERROR(values);
    RETURN_IF_ERROR(joinEntries(tensors, std::size_t(axis), indices, *values));
    const SparseTensor joined{&indices, &*values, shape};
    RETURN_IF_ERROR(giveEntries(context, joined, rowMajorOrder(joined), 0, 1));
    return giveShape(context, 2, shape);
}

} // namespace

LAPIDARY_KERNEL(SparseConcat, runSparseConcat);

} // namespace lapidary
