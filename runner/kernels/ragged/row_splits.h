// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <vector>

namespace lapidary {

// The index at which each row of a ragged axis begins, and then the one at which the last row ends.
using RowSplits = std::vector<std::int64_t>;

// Reads the splits in `count` inputs from `first` on, outermost first. They must be vectors that
// begin with 0, do not descend, and end with the number of rows of the next splits, or the last
// ones with `values`. Errors name the input.
Result<std::vector<RowSplits>> rowSplits(const KernelContext& context, std::size_t first,
                                         std::size_t count, std::int64_t values);

} // namespace lapidary
