// SPDX-License-Identifier: Apache-2.0
// RaggedTensorToSparse: the values of a ragged tensor with their indices, as a sparse tensor.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/ragged/row_splits.h"

#include <algorithm>

namespace lapidary {
namespace {

// Fills in the first indices of each row of values: one for the outermost axis and one for each
// ragged axis.
void fillRaggedIndices(const std::vector<RowSplits>& splits, std::int64_t each, std::size_t rank,
                       std::span<std::int64_t> indices)
{
    std::vector<std::size_t> row(splits.size(), 0); // by level: the row with the current values
    const std::int64_t rows = splits.back().back();
    for (std::int64_t value = 0; value < rows; ++value) {
        std::int64_t at = value;
        for (std::size_t level = splits.size(); level-- > 0;) {
            while (splits[level][row[level] + 1] <= at) {
                stopPoint();
                ++row[level];
            }
            for (std::int64_t i = 0; i < each; ++i) {
                stopPoint();
                indices[std::size_t(value * each + i) * rank + level + 1] =
                    at - splits[level][row[level]];
            }
            at = std::int64_t(row[level]);
        }
        for (std::int64_t i = 0; i < each; ++i)
            indices[std::size_t(value * each + i) * rank] = at;
    }
}

// Fills in the indices of the axes that all rows of values share.
void fillInnerIndices(const Dims& dims, std::int64_t each, std::size_t first, std::size_t rank,
                      std::span<std::int64_t> indices)
{
    for (std::size_t i = 0; i < indices.size() / rank; ++i) {
        stopPoint();
        std::int64_t rest = std::int64_t(i) % each;
        for (std::size_t axis = dims.size(); axis-- > 1; rest /= dims[axis])
            indices[i * rank + first + axis - 1] = rest % dims[axis];
    }
}

Dims denseShape(const std::vector<RowSplits>& splits, const Dims& values)
{
    Dims shape{std::int64_t(splits[0].size()) - 1};
    for (const RowSplits& level : splits) {
        std::int64_t widest = 0;
        for (std::size_t i = 1; i < level.size(); ++i)
            widest = std::max(widest, level[i] - level[i - 1]);
        shape.push_back(widest);
    }
    shape.insert(shape.end(), values.begin() + 1, values.end());
    return shape;
}

Status runToSparse(KernelContext& context)
{
    const std::size_t levels = context.inputCount() - 1;
    const Value& values = context.input(levels);
    if (levels == 0 || values.isScalar())
        return context.error("needs splits and values of at least one axis");
    ASSIGN_OR_RETURN(const auto splits, rowSplits(context, 0, levels, values.dim(0)));
    const Dims shape = denseShape(splits, values.dims());
    const std::int64_t count = values.elements();
    ASSIGN_OR_RETURN(auto indices,
                     context.makeOutput(0, DType::Int64, {count, std::int64_t(shape.size())}));
    if (count > 0) {
        const auto to = indices.mutableAs<std::int64_t>();
        const std::int64_t each = sizeOfAxes(values.dims(), 1, values.dims().size());
        fillRaggedIndices(splits, each, shape.size(), to);
        fillInnerIndices(values.dims(), each, levels + 1, shape.size(), to);
    }
    RETURN_IF_ERROR(context.setOutput(1, values.reshaped({count})));
    ASSIGN_OR_RETURN(auto sizes, context.makeOutput(2, DType::Int64, {std::int64_t(shape.size())}));
    std::ranges::copy(shape, sizes.mutableAs<std::int64_t>().begin());
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(RaggedTensorToSparse, runToSparse);

} // namespace lapidary
