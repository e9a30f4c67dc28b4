// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/sequences/recurrent.h"

#include "runner/kernels/dispatch.h"

#include <algorithm>

namespace lapidary {

Result<FloatMatrix> FloatMatrix::make(std::int64_t count, MemoryPool& pool)
{
    ASSIGN_OR_RETURN(auto values, Scratch<float>::make(pool, count));
    return FloatMatrix(std::move(values));
}

Result<FloatMatrix> FloatMatrix::copyOf(const Value& value, MemoryPool& pool)
{
    auto matrix = make(value.elements(), pool);
    if (!matrix)
        return matrix;
    const auto out = matrix->all();
    if (value.dtype() == DType::Half)
        std::ranges::transform(value.as<Half>(), out.begin(), [](Half x) { return float(x); });
    else
        std::ranges::copy(value.as<float>(), out.begin());
    return matrix;
}

void addProduct(std::span<const float> left, std::span<const float> right, std::int64_t rows,
                std::int64_t inner, std::int64_t columns, std::span<float> out)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        float* to = out.data() + r * columns;
        for (std::int64_t k = 0; k < inner; ++k) {
            const float factor = left[std::size_t(r * inner + k)];
            const float* row = right.data() + k * columns;
            for (std::int64_t c = 0; c < columns; ++c)
                to[c] += factor * row[c];
        }
    }
}

Status setFloats(KernelContext& context, std::size_t i, DType dtype, Dims dims,
                 std::span<const float> values)
{
    ASSIGN_OR_RETURN(auto made, context.makeOutput(i, dtype, std::move(dims)));
    if (dtype == DType::Half)
        std::ranges::transform(values, made.mutableAs<Half>().begin(),
                               [](float x) { return Half(x); });
    else
        std::ranges::copy(values, made.mutableAs<float>().begin());
    return Done{};
}

std::string shapeFault(std::string_view name, const Value& value, const Dims& dims)
{
    if (value.dims() == dims)
        return {};
    return std::string(name) + " must have the shape " + dimsText(dims) + ", got " +
           dimsText(value.dims());
}

} // namespace lapidary
