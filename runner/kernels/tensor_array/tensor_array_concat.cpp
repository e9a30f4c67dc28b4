// TensorArrayConcat, V2, V3: all elements one after another along their first dimension, and how
// long each one was.
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>

namespace lapidary {
namespace {

Status giveLengths(KernelContext& context, std::span<const Value> values)
{
    auto lengths = context.makeOutput(1, DType::Int64, {std::int64_t(values.size())});
    if (!lengths)
        return lengths.error();
    std::ranges::transform(values, lengths.value().mutableAs<std::int64_t>().begin(),
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
    if (const Status status = joinValues(context, 0, dtype, std::move(dims), {}); !status)
        return status;
    return giveLengths(context, {});
}

Status run(KernelContext& context)
{
    const auto opened = openTensorArray(context, "dtype");
    if (!opened)
        return opened.error();
    TensorArray& array = *opened.value();
    const DType dtype = array.options().dtype;
    const Shape rest =
        context.attr("element_shape_except0").asShape().value_or(Shape{.unknownRank = true});
    if (array.size() == 0)
        return concatNothing(context, dtype, rest);
    std::vector<Value> values;
    Dims dims;
    for (std::int32_t i = 0; i < array.size(); ++i) {
        auto read = array.read(context, i);
        if (!read)
            return read.error();
        const Value& value = values.emplace_back(std::move(read).value());
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
    if (const Status status = joinValues(context, 0, dtype, std::move(dims), values); !status)
        return status;
    return giveLengths(context, values);
}

} // namespace

const Kernel kernels::tensorArrayConcat{.op = "TensorArrayConcat", .run = run};
const Kernel kernels::tensorArrayConcatV2{.op = "TensorArrayConcatV2", .run = run};
const Kernel kernels::tensorArrayConcatV3{.op = "TensorArrayConcatV3", .run = run};

} // namespace lapidary
