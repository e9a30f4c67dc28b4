// SPDX-License-Identifier: Apache-2.0
// RaggedGather picks rows of a ragged tensor by a tensor of indices. The result has the axes of the
// indices, and below them the ragged ones of the rows.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/ragged/row_splits.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

struct Rows {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

Result<std::vector<Rows>> pickedRows(const KernelContext& context, const Value& indices,
                                     std::int64_t count)
{
    std::vector<Rows> rows;
    for (const std::int64_t index : indices.integers()) {
        if (index < 0 || index >= count)
            return context.error("indices[" + std::to_string(rows.size()) +
                                 "] = " + std::to_string(index) + " is not in [0, " +
                                 std::to_string(count) + ")");
        rows.push_back({index, index + 1});
    }
    return rows;
}

// Returns the splits of all axes of the indices but the last.
std::vector<RowSplits> splitsOfIndices(const Dims& dims)
{
    std::vector<RowSplits> all;
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < dims.size(); ++axis) {
        rows *= dims[axis];
        RowSplits splits(std::size_t(rows) + 1);
        for (std::size_t i = 0; i < splits.size(); ++i)
            splits[i] = std::int64_t(i) * dims[axis + 1];
        all.push_back(std::move(splits));
    }
    return all;
}

// Returns the lengths of the picked rows as splits, and replaces the rows by their contents, one
// level below.
RowSplits takeLevel(const RowSplits& splits, std::vector<Rows>& rows)
{
    RowSplits taken{0};
    for (Rows& range : rows) {
        for (std::int64_t row = range.begin; row < range.end; ++row) {
            stopPoint();
            taken.push_back(taken.back() + splits[std::size_t(row) + 1] - splits[std::size_t(row)]);
        }
        range = {splits[std::size_t(range.begin)], splits[std::size_t(range.end)]};
    }
    return taken;
}

Status giveValues(KernelContext& context, const Value& values, const std::vector<Rows>& rows,
                  std::size_t output)
{
    Dims dims = values.dims();
    const std::int64_t each = sizeOfAxes(dims, 1, dims.size());
    dims[0] = 0;
    for (const Rows& range : rows)
        dims[0] += range.end - range.begin;
    ASSIGN_OR_RETURN(auto made, context.makeOutput(output, values.dtype(), dims));
    const bool known = dispatchBySize(values.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto from = readElements<T>(values);
        auto to = writeElements<T>(made).begin();
        for (const Rows& range : rows) {
            stopPoint();
            to = std::ranges::copy(from.subspan(std::size_t(range.begin * each),
                                                std::size_t((range.end - range.begin) * each)),
                                   to)
                     .out;
        }
    });
    return known ? Status(Done{})
                 : Status(context.error("cannot move " + dtypeName(values.dtype())));
}

Status runRaggedGather(KernelContext& context)
{
    const auto levels = std::size_t(context.intAttr("PARAMS_RAGGED_RANK"));
    if (levels < 1 || context.inputCount() != levels + 2)
        return context.error("PARAMS_RAGGED_RANK must be the number of its params_nested_splits");
    const Value& values = context.input(levels);
    const Value& indices = context.input(levels + 1);
    if (values.isScalar())
        return context.error("params_dense_values must have at least one axis");
    ASSIGN_OR_RETURN(const auto splits, rowSplits(context, 0, levels, values.dim(0)));
    const std::size_t outer = indices.isScalar() ? 0 : indices.dims().size() - 1;
    const std::size_t made = indices.isScalar() ? levels - 1 : levels + outer;
    if (context.outputCount() != made + 1)
        return context.error("OUTPUT_RAGGED_RANK must be " + std::to_string(made) +
                             " for indices of shape " + dimsText(indices.dims()));
    ASSIGN_OR_RETURN(auto rows, pickedRows(context, indices, std::int64_t(splits[0].size()) - 1));
    std::vector<RowSplits> results = splitsOfIndices(indices.dims());
    for (const RowSplits& level : splits)
        results.push_back(takeLevel(level, rows));
    if (indices.isScalar()) // the picked row itself, without the axis around it
        results.erase(results.begin());
    for (std::size_t i = 0; i < made; ++i)
        RETURN_IF_ERROR(setIntegers(context, i, context.typeAttr("Tsplits", DType::Int64),
                                    {std::int64_t(results[i].size())}, results[i]));
    return giveValues(context, values, rows, made);
}

} // namespace

LAPIDARY_KERNEL(RaggedGather, runRaggedGather);

} // namespace lapidary
