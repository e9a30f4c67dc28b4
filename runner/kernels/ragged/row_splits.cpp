// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/ragged/row_splits.h"

#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"

namespace lapidary {
namespace {

Status checkSplits(const KernelContext& context, const RowSplits& splits, std::size_t level)
{
    const std::string name = "the splits of ragged axis " + std::to_string(level + 1);
    if (splits.empty())
        return context.error(name + " must not be empty");
    if (splits[0] != 0)
        return context.error(name + " must begin with 0, not " + std::to_string(splits[0]));
    for (std::size_t i = 1; i < splits.size(); ++i) {
        stopPoint();
        if (splits[i] < splits[i - 1])
            return context.error(name + " must not descend, but number " + std::to_string(i) +
                                 " is " + std::to_string(splits[i]) + " after " +
                                 std::to_string(splits[i - 1]));
    }
    return Done{};
}

} // namespace

Result<std::vector<RowSplits>> rowSplits(const KernelContext& context, std::size_t first,
                                         std::size_t count, std::int64_t values)
{
    std::vector<RowSplits> all;
    for (std::size_t level = 0; level < count; ++level) {
        ASSIGN_OR_RETURN(auto splits, integerVector(context, first + level, "a row of splits"));
        RETURN_IF_ERROR(checkSplits(context, splits, level));
        all.push_back(std::move(splits));
    }
    for (std::size_t level = 0; level < count; ++level) {
        const std::int64_t rows =
            level + 1 < count ? std::int64_t(all[level + 1].size()) - 1 : values;
        if (all[level].back() != rows)
            return context.error("the splits of ragged axis " + std::to_string(level + 1) +
                                 " end at " + std::to_string(all[level].back()) +
                                 ", but there are " + std::to_string(rows) + " rows");
    }
    return all;
}

} // namespace lapidary
