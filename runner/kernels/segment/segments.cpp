// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Dims rowDims(const Dims& data, std::size_t leading)
{
    return {data.begin() + std::ptrdiff_t(leading), data.end()};
}

// Returns the number of elements of a row. If a size is 0, the product may wrap; then nothing is
// read.
std::int64_t productOf(const Dims& dims)
{
    std::int64_t product = 1;
    for (const std::int64_t size : dims)
        product = wrapping::mul(product, size);
    return product;
}

void setOutput(Segments& segments, const Dims& row)
{
    segments.rowSize = productOf(row);
    segments.output = row;
    segments.output.insert(segments.output.begin(), segments.count);
}

Status checkAscending(const KernelContext& context, const std::vector<std::int64_t>& ids)
{
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0)
            return context.error("segment id " + std::to_string(ids[i]) + " is negative");
        if (i > 0 && ids[i] < ids[i - 1])
            return context.error("segment ids must ascend, but " + std::to_string(ids[i]) +
                                 " follows " + std::to_string(ids[i - 1]));
    }
    if (!ids.empty() && ids.back() >= (std::int64_t(1) << 40))
        return context.error("segment id " + std::to_string(ids.back()) + " is too large");
    return Done{};
}

Result<std::int64_t> segmentCount(const KernelContext& context, std::size_t input)
{
    const Value& count = context.input(input);
    if (!count.isScalar())
        return context.error("the number of segments must be a scalar, but has shape " +
                             dimsText(count.dims()));
    const std::int64_t number = count.integers()[0];
    if (number < 0 || number >= (std::int64_t(1) << 40))
        return context.error("the number of segments is " + std::to_string(number));
    return number;
}

} // namespace

Result<Segments> Segments::sorted(const KernelContext& context)
{
    const Value& data = context.input(0);
    if (!context.input(1).isVector())
        return context.error("the segment ids must be a vector, but have shape " +
                             dimsText(context.input(1).dims()));
    if (data.rank() < 1 || data.dim(0) != context.input(1).elements())
        return context.error("there are " + std::to_string(context.input(1).elements()) +
                             " segment ids for data of shape " + dimsText(data.dims()));
    Segments segments;
    segments.ids = context.input(1).integers();
    RETURN_IF_ERROR(checkAscending(context, segments.ids));
    segments.count = segments.ids.empty() ? 0 : segments.ids.back() + 1;
    setOutput(segments, rowDims(data.dims(), 1));
    return segments;
}

Result<Segments> Segments::unsorted(const KernelContext& context)
{
    const Dims& data = context.input(0).dims();
    const Dims& ids = context.input(1).dims();
    const bool fits = ids.size() <= data.size() && std::equal(ids.begin(), ids.end(), data.begin());
    if (!fits)
        return context.error("data of shape " + dimsText(data) + " must begin with the shape " +
                             dimsText(ids) + " of the segment ids");
    ASSIGN_OR_RETURN(const auto count, segmentCount(context, 2));
    Segments segments;
    segments.ids = context.input(1).integers();
    segments.count = count;
    for (std::size_t i = 0; i < segments.ids.size(); ++i) {
        if (segments.ids[i] >= segments.count)
            return context.error("segment id " + std::to_string(segments.ids[i]) + " at " +
                                 std::to_string(i) + " is not below the number of segments, " +
                                 std::to_string(segments.count));
    }
    setOutput(segments, rowDims(data, ids.size()));
    return segments;
}

Result<Segments> Segments::sparse(const KernelContext& context)
{
    const Value& data = context.input(0);
    const Value& rows = context.input(1);
    const Value& ids = context.input(2);
    if (data.rank() < 1)
        return context.error("the data must have a dimension to choose rows from");
    if (!rows.isVector() || !ids.isVector() || rows.elements() != ids.elements())
        return context.error("indices and segment ids must be vectors of one length, but are " +
                             dimsText(rows.dims()) + " and " + dimsText(ids.dims()));
    Segments segments;
    segments.ids = ids.integers();
    segments.rows = rows.integers();
    RETURN_IF_ERROR(checkAscending(context, segments.ids));
    for (const std::int64_t row : segments.rows)
        if (row < 0 || row >= data.dim(0))
            return context.error("index " + std::to_string(row) +
                                 " is not a row of data of shape " + dimsText(data.dims()));
    segments.count = segments.ids.empty() ? 0 : segments.ids.back() + 1;
    if (context.inputCount() > 3) {
        ASSIGN_OR_RETURN(const auto count, segmentCount(context, 3));
        if (count < segments.count)
            return context.error("segment id " + std::to_string(segments.count - 1) +
                                 " is not below the number of segments, " + std::to_string(count));
        segments.count = count;
    }
    setOutput(segments, rowDims(data.dims(), 1));
    return segments;
}

} // namespace lapidary
