// TensorArrayGather, V2, V3: elements at `indices`, stacked along a new first dimension.
// TensorArrayPack: all elements.
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <numeric>

namespace lapidary {
namespace {

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
        auto value = array.read(context, index);
        if (!value)
            return value.error();
        values.push_back(std::move(value).value());
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

Status run(KernelContext& context)
{
    const auto array = openTensorArray(context, "dtype");
    if (!array)
        return array.error();
    const Value& indices = context.input(1);
    if (!indices.isVector())
        return context.error("indices must be a vector, but its shape is " +
                             dimsText(indices.dims()));
    return gather(context, *array.value(), indices.as<std::int32_t>());
}

Status runPack(KernelContext& context)
{
    const auto array = openTensorArray(context, "dtype");
    if (!array)
        return array.error();
    std::vector<std::int32_t> all(std::size_t(array.value()->size()));
    std::iota(all.begin(), all.end(), 0);
    return gather(context, *array.value(), all);
}

} // namespace

const Kernel kernels::tensorArrayGather{.op = "TensorArrayGather", .run = run};
const Kernel kernels::tensorArrayGatherV2{.op = "TensorArrayGatherV2", .run = run};
const Kernel kernels::tensorArrayGatherV3{.op = "TensorArrayGatherV3", .run = run};
const Kernel kernels::tensorArrayPack{.op = "TensorArrayPack", .run = runPack};

} // namespace lapidary
