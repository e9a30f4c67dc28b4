// SPDX-License-Identifier: Apache-2.0
// The elements of a TensorArray in one tensor, and back.
#include "runner/kernels/kernel.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>

namespace lapidary {
namespace {

// TensorArrayConcat, V2, V3: all elements joined along their first dimension, and their lengths.
Status giveLengths(KernelContext& context, std::span<const Value> values)
{
    ASSIGN_OR_RETURN(auto lengths,
                     context.makeOutput(1, DType::Int64, {std::int64_t(values.size())}));
    std::ranges::transform(values, lengths.mutableAs<std::int64_t>().begin(),
                           [](const Value& v) { return v.dim(0); });
    return Done{};
}

Status concatNothing(KernelContext& context, DType dtype, const Shape& rest)
{
    if (!isFullyDefined(rest))
        return context.error("the array is empty, and element_shape_except0 " + shapeText(rest) +
                             " is not fully defined");
    Dims dims = rest.dims;
    dims.insert(dims.begin(), 0);
    RETURN_IF_ERROR(joinValues(context, 0, dtype, std::move(dims), {}));
    return giveLengths(context, {});
}

Status runTensorArrayConcat(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto opened, openTensorArray(context, "dtype"));
    TensorArray& array = *opened;
    const DType dtype = array.options().dtype;
    const Shape rest =
        context.attr("element_shape_except0").asShape().value_or(Shape{.unknownRank = true});
    if (array.size() == 0)
        return concatNothing(context, dtype, rest);
    std::vector<Value> values;
    Dims dims;
    for (std::int32_t i = 0; i < array.size(); ++i) {
        ASSIGN_OR_RETURN(auto read, array.read(context, i));
        const Value& value = values.emplace_back(std::move(read));
        if (value.isScalar())
            return context.error("element " + std::to_string(i) +
                                 " is a scalar; only vectors and more can be concatenated");
        const Dims tail(value.dims().begin() + 1, value.dims().end());
        if (!fitsShape(tail, rest) ||
            (i > 0 && !std::equal(tail.begin(), tail.end(), dims.begin() + 1, dims.end())))
            return context.error("element " + std::to_string(i) + " of shape " +
                                 dimsText(value.dims()) + " does not fit the others");
        if (i == 0)
            dims = value.dims();
        else
            dims[0] += value.dim(0);
    }
    RETURN_IF_ERROR(joinValues(context, 0, dtype, std::move(dims), values));
    return giveLengths(context, values);
}

// TensorArraySplit, V2, V3: consecutive rows of the value, lengths[i] of them, become element i.
Status checkLengths(KernelContext& context, const TensorArray& array, const Value& value)
{
    const Value& lengths = context.input(2);
    if (!lengths.isVector())
        return context.error("lengths must be a vector, but its shape is " +
                             dimsText(lengths.dims()));
    if (value.isScalar())
        return context.error("value must be a vector at least, but it is a scalar");
    std::int64_t sum = 0;
    for (const std::int64_t length : lengths.as<std::int64_t>()) {
        if (length < 0 || length > value.dim(0))
            return context.error("a length of " + std::to_string(length) + " is out of range");
        sum += length;
        if (sum > value.dim(0))
            break;
    }
    if (sum != value.dim(0))
        return context.error("lengths do not add up to the " + std::to_string(value.dim(0)) +
                             " rows of value");
    const bool grows = array.options().dynamicSize && lengths.elements() > array.size();
    if (lengths.elements() != array.size() && !grows)
        return context.error("there are " + std::to_string(lengths.elements()) +
                             " lengths for an array of " + std::to_string(array.size()));
    return Done{};
}

Status runTensorArraySplit(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto array, openTensorArray(context, "T"));
    const Value& value = context.input(1);
    RETURN_IF_ERROR(checkLengths(context, *array, value));
    std::int64_t begin = 0;
    std::int64_t index = 0;
    for (const std::int64_t length : context.input(2).as<std::int64_t>()) {
        Dims dims = value.dims();
        dims[0] = length;
        ASSIGN_OR_RETURN(auto rows, copyRows(context, value, begin, length, std::move(dims)));
        RETURN_IF_ERROR(array->write(context, index++, std::move(rows)));
        begin += length;
    }
    return context.setOutput(0, context.input(3));
}

} // namespace

LAPIDARY_KERNEL(TensorArrayConcat, runTensorArrayConcat);
LAPIDARY_KERNEL(TensorArrayConcatV2, runTensorArrayConcat);
LAPIDARY_KERNEL(TensorArrayConcatV3, runTensorArrayConcat);
LAPIDARY_KERNEL(TensorArraySplit, runTensorArraySplit);
LAPIDARY_KERNEL(TensorArraySplitV2, runTensorArraySplit);
LAPIDARY_KERNEL(TensorArraySplitV3, runTensorArraySplit);

} // namespace lapidary
