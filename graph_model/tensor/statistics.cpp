// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary {
namespace {

constexpr std::int64_t statisticsPiece = 1 << 16;

// Calls use(index of the first element, values) piece by piece.
template <class Use>
Status forPieces(const Tensor& tensor, const Job& job, Use use)
{
    for (std::int64_t begin = 0; begin < tensor.elements(); begin += statisticsPiece) {
        if (job.cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(const auto piece, tensor.numbers(begin, std::min(begin + statisticsPiece,
                                                                          tensor.elements())));
        use(begin, piece);
    }
    return Done{};
}

// Welford's update: one pass, no cancellation of large sums.
struct Moments {
    double mean = 0;
    double squares = 0;
    std::int64_t count = 0;

    void add(double value)
    {
        ++count;
        const double delta = value - mean;
        mean += delta / double(count);
        squares += delta * (value - mean);
    }
};

void countValue(TensorStatistics& out, Moments& moments, double value)
{
    if (std::isnan(value)) {
        ++out.nans;
        return;
    }
    if (std::isinf(value)) {
        ++out.infinities;
        return;
    }
    out.zeros += value == 0 ? 1 : 0;
    out.minimum = moments.count == 0 ? value : std::min(out.minimum, value);
    out.maximum = moments.count == 0 ? value : std::max(out.maximum, value);
    moments.add(value);
}

// Both are halved, so that the range of the largest doubles does not overflow.
int binOf(double value, const TensorStatistics& s, int binCount)
{
    const double range = s.maximum / 2 - s.minimum / 2;
    if (!(range > 0))
        return 0;
    const double at = (value / 2 - s.minimum / 2) / range * binCount;
    return std::clamp(int(at), 0, binCount - 1);
}

std::int64_t cellEnd(std::int64_t cell, std::int64_t cells, std::int64_t size)
{
    // (cell + 1) * size / cells without overflow for sizes near 2^63
    return size / cells * (cell + 1) + size % cells * (cell + 1) / cells;
}

// Maps the tensor's rows and columns to fewer cells; the boundaries of columns are precomputed.
struct CellMap {
    std::vector<std::int64_t> rowEnds;
    std::vector<std::int64_t> columnEnds;

    static std::vector<std::int64_t> ends(std::int64_t cells, std::int64_t size)
    {
        std::vector<std::int64_t> all(static_cast<std::size_t>(cells));
        for (std::int64_t i = 0; i < cells; ++i)
            all[std::size_t(i)] = cellEnd(i, cells, size);
        return all;
    }
    static std::size_t cellOf(const std::vector<std::int64_t>& ends, std::int64_t at)
    {
        return std::size_t(std::upper_bound(ends.begin(), ends.end(), at) - ends.begin());
    }
};

} // namespace

Result<TensorStatistics> tensorStatistics(const Tensor& tensor, int binCount, const Job& job)
{
    TensorStatistics out;
    out.elements = tensor.elements();
    Moments moments;
    const Status first = forPieces(tensor, job, [&](std::int64_t begin, const auto& values) {
        for (const double value : values)
            countValue(out, moments, value);
        job.progress(double(begin) / double(out.elements) / 2);
    });
    RETURN_IF_ERROR(first);
    out.mean = moments.mean;
    out.deviation = moments.count > 0 ? std::sqrt(moments.squares / double(moments.count)) : 0;
    out.isConstant =
        out.elements > 0 && moments.count == out.elements && out.minimum == out.maximum;
    if (moments.count == 0 || binCount <= 0)
        return out;
    out.bins.assign(std::size_t(binCount), 0);
    const Status second = forPieces(tensor, job, [&](std::int64_t begin, const auto& values) {
        for (const double value : values)
            if (std::isfinite(value))
                ++out.bins[std::size_t(binOf(value, out, binCount))];
        job.progress(0.5 + double(begin) / double(out.elements) / 2);
    });
    RETURN_IF_ERROR(second);
    return out;
}

Result<TensorGrid> tensorGrid(const Tensor& tensor, int maxRows, int maxColumns, const Job& job)
{
    TensorGrid grid;
    const std::vector<std::int64_t>& dims = tensor.shape().dims;
    if (tensor.elements() <= 0 || maxRows <= 0 || maxColumns <= 0)
        return grid;
    grid.tensorColumns = dims.empty() ? 1 : dims.back();
    grid.tensorRows = tensor.elements() / grid.tensorColumns;
    grid.rows = int(std::min<std::int64_t>(grid.tensorRows, maxRows));
    grid.columns = int(std::min<std::int64_t>(grid.tensorColumns, maxColumns));
    const CellMap map{CellMap::ends(grid.rows, grid.tensorRows),
                      CellMap::ends(grid.columns, grid.tensorColumns)};
    std::vector<std::int64_t> counts(std::size_t(grid.rows) * std::size_t(grid.columns), 0);
    grid.cells.assign(counts.size(), 0);
    const Status read = forPieces(tensor, job, [&](std::int64_t begin, const auto& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i]))
                continue;
            const std::int64_t at = begin + std::int64_t(i);
            const std::size_t row = CellMap::cellOf(map.rowEnds, at / grid.tensorColumns);
            const std::size_t column = CellMap::cellOf(map.columnEnds, at % grid.tensorColumns);
            const std::size_t cell = row * std::size_t(grid.columns) + column;
            grid.cells[cell] += (values[i] - grid.cells[cell]) / double(++counts[cell]);
        }
    });
    RETURN_IF_ERROR(read);
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] == 0)
            grid.cells[i] = std::numeric_limits<double>::quiet_NaN();
    return grid;
}

} // namespace lapidary
