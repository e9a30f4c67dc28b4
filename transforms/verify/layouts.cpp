// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/layouts.h"

#include "graph_model/graph/dialect.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lapidary {
namespace {

// Returns the dimensions of `b` in the order of the first graph.
Dims movedDims(Dims dims, Layouts layouts)
{
    const auto second = dims.begin() + 1;
    std::rotate(second, layouts == Layouts::SecondIsOnnx ? second + 1 : dims.end() - 1, dims.end());
    return dims;
}

// Transposes each sample, a matrix [rows, columns].
Value transposedSamples(const Value& from, Dims dims, std::int64_t rows, std::int64_t columns)
{
    MemoryPool pool(from.byteCount() + 4096);
    auto moved = Value::make(DType::Float, std::move(dims), pool);
    if (!moved)
        return from;
    const float* source = from.as<float>().data();
    const auto target = moved->mutableAs<float>();
    for (std::size_t i = 0; i < target.size(); i += std::size_t(rows * columns))
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column)
                target[i + std::size_t(column * rows + row)] = *source++;
    return *std::move(moved);
}

} // namespace

Layouts layoutsOf(const Graph& a, const Graph& b)
{
    const bool isFirst = dialectOf(a) == Dialect::Onnx;
    const bool isSecond = dialectOf(b) == Dialect::Onnx;
    if (isFirst == isSecond)
        return Layouts::Same;
    return isFirst ? Layouts::FirstIsOnnx : Layouts::SecondIsOnnx;
}

std::optional<Value> inLayoutOf(const Value& a, const Value& b, Layouts layouts)
{
    const Dims& dims = b.dims();
    if (layouts == Layouts::Same || b.dtype() != DType::Float || dims.size() < 3 ||
        b.elements() == 0)
        return b;
    Dims moved = movedDims(dims, layouts);
    if (a.dims() != moved)
        return b;
    const std::int64_t samples = dims.front();
    const std::int64_t rows =
        layouts == Layouts::SecondIsOnnx ? dims[1] : b.elements() / samples / dims.back();
    const std::int64_t columns = b.elements() / samples / rows;
    if (rows == 1 || columns == 1)
        return b.reshaped(std::move(moved));
    if (moved == dims)
        return {};
    return transposedSamples(b, std::move(moved), rows, columns);
}

} // namespace lapidary
