// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/arrays/arguments.h"

#include <limits>

namespace lapidary {

Result<int> resolveAxis(const KernelContext& context, std::int64_t axis, int rank)
{
    if (axis < -rank || axis >= rank)
        return context.error("axis " + std::to_string(axis) + " is not in [" +
                             std::to_string(-rank) + ", " + std::to_string(rank) + ")");
    return int(axis < 0 ? axis + rank : axis);
}

Result<std::int64_t> integerScalar(const KernelContext& context, std::size_t input,
                                   std::string_view name)
{
    const Value& value = context.input(input);
    if (!value.isScalar())
        return context.error(std::string(name) + " must be a scalar, but its shape is " +
                             dimsText(value.dims()));
    return value.integers().front();
}

Result<int> axisArgument(const KernelContext& context, std::size_t input, std::string_view name,
                         int rank)
{
    const auto axis = integerScalar(context, input, name);
    return axis ? resolveAxis(context, axis.value(), rank) : axis.error();
}

Result<std::vector<std::int64_t>> integerVector(const KernelContext& context, std::size_t input,
                                                std::string_view name)
{
    const Value& value = context.input(input);
    if (!value.isVector())
        return context.error(std::string(name) + " must be a vector, but its shape is " +
                             dimsText(value.dims()));
    return value.integers();
}

Result<std::vector<std::int64_t>> sizePairs(const KernelContext& context, std::size_t input,
                                            std::string_view name, std::int64_t rows)
{
    const Value& value = context.input(input);
    if (value.dims() != Dims{rows, 2})
        return context.error(std::string(name) + " must have the shape " + dimsText({rows, 2}) +
                             ", but it is " + dimsText(value.dims()));
    std::vector<std::int64_t> pairs = value.integers();
    for (const std::int64_t size : pairs)
        if (size < 0)
            return context.error(std::string(name) +
                                 " must not be negative: " + std::to_string(size));
    return pairs;
}

std::int64_t cappedSum(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t cappedProduct(std::int64_t a, std::int64_t b)
{
    std::int64_t size = 0;
    return __builtin_mul_overflow(a, b, &size) ? std::numeric_limits<std::int64_t>::max() : size;
}

std::int64_t sizeOfAxes(const Dims& dims, std::size_t first, std::size_t last)
{
    std::int64_t size = 1;
    for (std::size_t i = first; i < last; ++i)
        size = cappedProduct(size, dims[i]);
    return size;
}

} // namespace lapidary
