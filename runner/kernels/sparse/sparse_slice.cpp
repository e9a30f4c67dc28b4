// SPDX-License-Identifier: Apache-2.0
// SparseSlice: the entries of a sparse tensor from `start`, at most `size` of each axis; entries
// beyond the shape are left out.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<Dims> sliceArgument(const KernelContext& context, std::size_t input, std::string_view name,
                           std::size_t rank)
{
    ASSIGN_OR_RETURN(auto numbers, integerVector(context, input, name));
    if (numbers.size() != rank)
        return context.error(std::string(name) + " must have one element for each of " +
                             std::to_string(rank) + " axes, not " + std::to_string(numbers.size()));
    if (std::ranges::any_of(numbers, [](std::int64_t n) { return n < 0; }))
        return context.error(std::string(name) + " " + dimsText(numbers) + " must not be negative");
    return numbers;
}

Status runSparseSlice(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto tensor, sparseTensor(context, 0));
    ASSIGN_OR_RETURN(const auto start, sliceArgument(context, 3, "start", tensor.rank()));
    ASSIGN_OR_RETURN(auto size, sliceArgument(context, 4, "size", tensor.rank()));
    for (std::size_t axis = 0; axis < size.size(); ++axis)
        size[axis] = std::clamp<std::int64_t>(tensor.shape[axis] - start[axis], 0, size[axis]);
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
        stopPoint();
        bool isInside = true;
        for (std::size_t axis = 0; axis < size.size(); ++axis) {
            const std::int64_t at = tensor.index(i)[axis];
            isInside = isInside && at >= start[axis] && at - start[axis] < size[axis];
        }
        if (isInside)
            kept.push_back(i);
    }
    RETURN_IF_ERROR(giveEntries(context, tensor, kept, 0, 1));
    ASSIGN_OR_RETURN(auto indices,
                     context.makeOutput(0, DType::Int64,
                                        {std::int64_t(kept.size()), std::int64_t(tensor.rank())}));
    auto to = indices.mutableAs<std::int64_t>().begin();
    for (const std::int64_t entry : kept)
        for (std::size_t axis = 0; axis < size.size(); ++axis)
            *to++ = tensor.index(entry)[axis] - start[axis];
    return giveShape(context, 2, size);
}

} // namespace

LAPIDARY_KERNEL(SparseSlice, runSparseSlice);

} // namespace lapidary
