// TensorArraySplit, V2, V3: consecutive rows of the value, lengths[i] of them, become element i.
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

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

Status run(KernelContext& context)
{
    const auto array = openTensorArray(context, "T");
    if (!array)
        return array.error();
    const Value& value = context.input(1);
    if (const Status status = checkLengths(context, *array.value(), value); !status)
        return status;
    std::int64_t begin = 0;
    std::int64_t index = 0;
    for (const std::int64_t length : context.input(2).as<std::int64_t>()) {
        Dims dims = value.dims();
        dims[0] = length;
        auto rows = copyRows(context, value, begin, length, std::move(dims));
        if (!rows)
            return rows.error();
        if (const Status status = array.value()->write(context, index++, std::move(rows).value());
            !status)
            return status;
        begin += length;
    }
    return context.setOutput(0, context.input(3));
}

} // namespace

const Kernel kernels::tensorArraySplit{.op = "TensorArraySplit", .run = run};
const Kernel kernels::tensorArraySplitV2{.op = "TensorArraySplitV2", .run = run};
const Kernel kernels::tensorArraySplitV3{.op = "TensorArraySplitV3", .run = run};

} // namespace lapidary
