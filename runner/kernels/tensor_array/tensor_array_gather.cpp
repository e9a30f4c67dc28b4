// SPDX-License-Identifier: Apache-2.0
// Many elements of a TensorArray at once.
#include "runner/kernels/kernel.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

// TensorArrayGather, V2, V3: elements at `indices`, stacked along a new first dimension.
// TensorArrayPack: all elements.
Status gather(KernelContext& context, TensorArray& array, std::span<const std::int32_t> indices)
{
    const Shape wanted =
        context.attr("element_shape").asShape().value_or(Shape{.unknownRank = true});
    const DType dtype = array.options().dtype;
    if (indices.empty()) {
        if (!isFullyDefined(wanted))
            return context.error("nothing to gather, and element_shape " + shapeText(wanted) +
                                 " is not fully defined");
        Dims dims = wanted.dims;
        dims.insert(dims.begin(), 0);
        return joinValues(context, 0, dtype, std::move(dims), {});
    }
    std::vector<Value> values;
    for (const std::int32_t index : indices) {
        ASSIGN_OR_RETURN(auto value, array.read(context, index));
        values.push_back(std::move(value));
        if (!fitsShape(values.back().dims(), wanted))
            return context.error("element_shape is " + shapeText(wanted) + " but element " +
                                 std::to_string(index) + " has shape " +
                                 dimsText(values.back().dims()));
        if (values.back().dims() != values.front().dims())
            return context.error("elements of different shapes cannot be stacked: " +
                                 dimsText(values.front().dims()) + " and " +
                                 dimsText(values.back().dims()) + " at index " +
                                 std::to_string(index));
    }
    Dims dims = values.front().dims();
    dims.insert(dims.begin(), std::int64_t(values.size()));
    return joinValues(context, 0, dtype, std::move(dims), values);
}

Status runTensorArrayGather(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto array, openTensorArray(context, "dtype"));
    const Value& indices = context.input(1);
    if (!indices.isVector())
        return context.error("indices must be a vector, but its shape is " +
                             dimsText(indices.dims()));
    return gather(context, *array, indices.as<std::int32_t>());
}

Status runPack(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto array, openTensorArray(context, "dtype"));
    std::vector<std::int32_t> all(std::size_t(array->size()));
    std::iota(all.begin(), all.end(), 0);
    return gather(context, *array, all);
}

// TensorArrayScatter, V2, V3: row k of the value becomes element indices[k].
// TensorArrayUnpack: row k becomes element k.
Status scatter(KernelContext& context, TensorArray& array, std::span<const std::int32_t> indices,
               const Value& value)
{
    const Dims rowDims(value.dims().begin() + 1, value.dims().end());
    for (std::size_t k = 0; k < indices.size(); ++k) {
        ASSIGN_OR_RETURN(auto row, copyRows(context, value, std::int64_t(k), 1, rowDims));
        RETURN_IF_ERROR(array.write(context, indices[k], std::move(row)));
    }
    return Done{};
}

Status runTensorArrayScatter(KernelContext& context)
{
    const auto array = openTensorArray(context, "T");
    RETURN_IF_ERROR(array);
    const Value& indices = context.input(1);
    const Value& value = context.input(2);
    if (!indices.isVector())
        return context.error("indices must be a vector, but its shape is " +
                             dimsText(indices.dims()));
    if (value.isScalar() || value.dim(0) != indices.elements())
        return context.error("value has shape " + dimsText(value.dims()) + " for " +
                             std::to_string(indices.elements()) + " indices");
    const auto numbers = indices.as<std::int32_t>();
    if (!numbers.empty()) {
        const std::int32_t last = std::ranges::max(numbers);
        if (last >= (*array)->size() && !(*array)->options().dynamicSize)
            return context.error("index " + std::to_string(last) + " is beyond the array's " +
                                 std::to_string((*array)->size()) + " elements");
    }
    RETURN_IF_ERROR(scatter(context, **array, numbers, value));
    return context.setOutput(0, context.input(3));
}

Status runUnpack(KernelContext& context)
{
    const auto array = openTensorArray(context, "T");
    RETURN_IF_ERROR(array);
    const Value& value = context.input(1);
    if (value.isScalar() || value.dim(0) > INT32_MAX)
        return context.error("value must have rows, but its shape is " + dimsText(value.dims()));
    if (value.dim(0) != (*array)->size() && !(*array)->options().dynamicSize)
        return context.error("value has " + std::to_string(value.dim(0)) +
                             " rows for an array of " + std::to_string((*array)->size()));
    std::vector<std::int32_t> all(std::size_t(value.dim(0)));
    std::iota(all.begin(), all.end(), 0);
    RETURN_IF_ERROR(scatter(context, **array, all, value));
    return context.setOutput(0, context.input(2));
}

} // namespace

LAPIDARY_KERNEL(TensorArrayGather, runTensorArrayGather);
LAPIDARY_KERNEL(TensorArrayGatherV2, runTensorArrayGather);
LAPIDARY_KERNEL(TensorArrayGatherV3, runTensorArrayGather);
LAPIDARY_KERNEL(TensorArrayPack, runPack);
LAPIDARY_KERNEL(TensorArrayScatter, runTensorArrayScatter);
LAPIDARY_KERNEL(TensorArrayScatterV2, runTensorArrayScatter);
LAPIDARY_KERNEL(TensorArrayScatterV3, runTensorArrayScatter);
LAPIDARY_KERNEL(TensorArrayUnpack, runUnpack);

} // namespace lapidary
