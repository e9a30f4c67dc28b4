// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/indexing/slice_numbers.h"

#include "runner/kernels/arrays/arguments.h"

namespace lapidary {
namespace {

template <class Index>
Status number(const KernelContext& context, std::span<const Index> indices, const Dims& dims,
              std::size_t depth, std::vector<std::int64_t>& numbers)
{
    for (std::size_t tuple = 0; tuple < numbers.size(); ++tuple) {
        std::int64_t flat = 0;
        bool inside = true;
        for (std::size_t k = 0; k < depth; ++k) {
            const auto at = std::int64_t(indices[tuple * depth + k]);
            inside = inside && at >= 0 && at < dims[k];
            flat = inside ? flat * dims[k] + at : 0;
        }
        numbers[tuple] = flat;
        if (inside)
            continue;
        const auto first = indices.begin() + std::ptrdiff_t(tuple * depth);
        return context.error("the index " + dimsText(Dims(first, first + std::ptrdiff_t(depth))) +
                             " (number " + std::to_string(tuple) + ") is outside of " +
                             dimsText(dims));
    }
    return Done{};
}

} // namespace

Result<SliceNumbers> readSliceNumbers(const KernelContext& context, const Value& indices,
                                      const Dims& dims)
{
    if (indices.isScalar())
        return context.error("the indices must have at least one axis");
    const std::int64_t depth = indices.dims().back();
    if (depth > std::int64_t(dims.size()))
        return context.error("an index of " + std::to_string(depth) +
                             " entries is too long for the shape " + dimsText(dims));
    const auto k = std::size_t(depth);
    SliceNumbers found;
    found.numbers.resize(std::size_t(sizeOfAxes(indices.dims(), 0, indices.dims().size() - 1)));
    found.slices = sizeOfAxes(dims, 0, k);
    found.elements = sizeOfAxes(dims, k, dims.size());
    const Status status = indices.dtype() == DType::Int32
                              ? number(context, indices.as<std::int32_t>(), dims, k, found.numbers)
                              : number(context, indices.as<std::int64_t>(), dims, k, found.numbers);
    return status ? Result<SliceNumbers>(std::move(found)) : Result<SliceNumbers>(status.error());
}

} // namespace lapidary
