// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <vector>

namespace lapidary {

// The index where each row of a ragged axis begins, and last the one where the last row ends.
using RowSplits = std::vector<std::int64_t>;

// The splits in `count` inputs from `first` on, outermost first. An error names those that are not
// vectors from 0 on that do not descend and end where the next ones, or `values` rows, end.
Result<std::vector<RowSplits>> rowSplits(const KernelContext& context, std::size_t first,
                                         std::size_t count, std::int64_t values);

} // namespace lapidary
