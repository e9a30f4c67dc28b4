// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace lapidary {

struct TopElement {
    std::int64_t index = 0; // along the last axis
    double value = 0;

    bool operator==(const TopElement&) const = default;
};

// Returns the `count` largest elements along the last axis, in row `row` of all others, the largest
// first and the lower index first among equals. NaN is left out. Errors: no such row, no numbers.
Result<std::vector<TopElement>> topElements(const Tensor& tensor, std::int64_t row,
                                            std::size_t count, const Job& job);

} // namespace lapidary
