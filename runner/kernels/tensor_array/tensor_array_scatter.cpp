// TensorArrayScatter, V2, V3: row k of the value becomes element indices[k].
// TensorArrayUnpack: row k becomes element k.
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

Status scatter(KernelContext& context, TensorArray& array, std::span<const std::int32_t> indices,
               const Value& value)
{
    const Dims rowDims(value.dims().begin() + 1, value.dims().end());
    for (std::size_t k = 0; k < indices.size(); ++k) {
        auto row = copyRows(context, value, std::int64_t(k), 1, rowDims);
        if (!row)
            return row.error();
        if (const Status status = array.write(context, indices[k], std::move(row).value()); !status)
            return status;
    }
    return Done{};
}

Status run(KernelContext& context)
{
    const auto array = openTensorArray(context, "T");
    if (!array)
        return array.error();
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
        if (last >= array.value()->size() && !array.value()->options().dynamicSize)
            return context.error("index " + std::to_string(last) + " is beyond the array's " +
                                 std::to_string(array.value()->size()) + " elements");
    }
    if (const Status status = scatter(context, *array.value(), numbers, value); !status)
        return status;
    return context.setOutput(0, context.input(3));
}

Status runUnpack(KernelContext& context)
{
    const auto array = openTensorArray(context, "T");
    if (!array)
        return array.error();
    const Value& value = context.input(1);
    if (value.isScalar() || value.dim(0) > INT32_MAX)
        return context.error("value must have rows, but its shape is " + dimsText(value.dims()));
    if (value.dim(0) != array.value()->size() && !array.value()->options().dynamicSize)
        return context.error("value has " + std::to_string(value.dim(0)) +
                             " rows for an array of " + std::to_string(array.value()->size()));
    std::vector<std::int32_t> all(std::size_t(value.dim(0)));
    std::iota(all.begin(), all.end(), 0);
    if (const Status status = scatter(context, *array.value(), all, value); !status)
        return status;
    return context.setOutput(0, context.input(2));
}

} // namespace

const Kernel kernels::tensorArrayScatter{.op = "TensorArrayScatter", .run = run};
const Kernel kernels::tensorArrayScatterV2{.op = "TensorArrayScatterV2", .run = run};
const Kernel kernels::tensorArrayScatterV3{.op = "TensorArrayScatterV3", .run = run};
const Kernel kernels::tensorArrayUnpack{.op = "TensorArrayUnpack", .run = runUnpack};

} // namespace lapidary
