// SPDX-License-Identifier: Apache-2.0
// SparseFillEmptyRows: a sparse tensor with default_value at the first column of each row that has
// no value; also gives these rows, and the new index of each value.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

Status checkOperands(const KernelContext& context, const Dims& shape)
{
    const Value& indices = context.input(0);
    const Value& values = context.input(1);
    if (shape.empty() || indices.rank() != 2 || indices.dim(1) != std::int64_t(shape.size()) ||
        values.dims() != Dims{indices.dim(0)} || !context.input(3).isScalar())
        return context.error("indices " + dimsText(indices.dims()) + ", values " +
                             dimsText(values.dims()) + " and default_value " +
                             dimsText(context.input(3).dims()) + " do not fit the dense shape " +
                             dimsText(shape));
    if (shape[0] < 0)
        return context.error("dense_shape must not be negative: " + std::to_string(shape[0]));
    for (std::int64_t i = 0; i < indices.dim(0); ++i) {
        const std::int64_t row = indices.as<std::int64_t>()[std::size_t(i * indices.dim(1))];
        if (row < 0 || row >= shape[0])
            return context.error("indices[" + std::to_string(i) + ",0] = " + std::to_string(row) +
                                 " is not in [0, " + std::to_string(shape[0]) + ")");
    }
    return Done{};
}

// Returns the index for the next value of each row; marks empty rows and reserves an entry for
// each.
Result<Value> placesOfRows(KernelContext& context, std::int64_t rows, std::int64_t& count)
{
    ASSIGN_OR_RETURN(auto empty, context.makeOutput(2, DType::Bool, {rows}));
    auto next = context.allocate(DType::Int64, {rows});
    RETURN_IF_ERROR(next);
    const Value& indices = context.input(0);
    const auto places = next->mutableAs<std::int64_t>();
    std::ranges::fill(places, 0);
    for (std::int64_t i = 0; i < indices.dim(0); ++i)
        ++places[std::size_t(indices.as<std::int64_t>()[std::size_t(i * indices.dim(1))])];
    count = 0;
    for (std::size_t row = 0; row < places.size(); ++row) {
        const std::int64_t entries = places[row];
        empty.mutableAs<bool>()[row] = entries == 0;
        places[row] = count;
        count += std::max<std::int64_t>(entries, 1);
    }
    return next;
}

// Fills in the indices, and output 3, the new index of each value.
Result<Value> fillIndices(KernelContext& context, Value& next, std::int64_t count)
{
    const Value& indices = context.input(0);
    const std::int64_t columns = indices.dim(1);
    auto filled = context.makeOutput(0, DType::Int64, {count, columns});
    auto map = context.makeOutput(3, DType::Int64, {indices.dim(0)});
    if (!filled || !map)
        return filled ? map.error() : filled.error();
    const auto to = filled.value().mutableAs<std::int64_t>();
    const auto places = next.mutableAs<std::int64_t>();
    std::ranges::fill(to, 0);
    for (std::size_t row = 0; row < places.size(); ++row)
        if (places[row] < count)
            to[std::size_t(places[row] * columns)] = std::int64_t(row);
    for (std::int64_t i = 0; i < indices.dim(0); ++i) {
        const std::int64_t* index = indices.as<std::int64_t>().data() + i * columns;
        const std::int64_t place = places[std::size_t(*index)]++;
        map.value().mutableAs<std::int64_t>()[std::size_t(i)] = place;
        std::copy_n(index, columns, to.data() + place * columns);
    }
    return map;
}

Status fillValues(KernelContext& context, std::int64_t count, const Value& map)
{
    const Value& values = context.input(1);
    ASSIGN_OR_RETURN(auto filled, context.makeOutput(1, values.dtype(), {count}));
    const bool known = dispatchBySize(values.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = writeElements<T>(filled).data();
        std::fill_n(to, count, *readElements<T>(context.input(3)).data());
        for (std::int64_t i = 0; i < values.elements(); ++i)
            to[map.as<std::int64_t>()[std::size_t(i)]] = readElements<T>(values)[i];
    });
    return known ? Status(Done{})
                 : Status(context.error("cannot move " + dtypeName(values.dtype())));
}

Status runSparseFillEmptyRows(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto shape, integerVector(context, 2, "dense_shape"));
    RETURN_IF_ERROR(checkOperands(context, shape));
    std::int64_t count = 0;
    ASSIGN_OR_RETURN(auto next, placesOfRows(context, shape[0], count));
    ASSIGN_OR_RETURN(const auto map, fillIndices(context, next, count));
    return fillValues(context, count, map);
}

} // namespace

LAPIDARY_KERNEL(SparseFillEmptyRows, runSparseFillEmptyRows);

} // namespace lapidary
