// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// A table cut out of a tensor: one axis in rows, one in columns, every other axis at one index.
struct TensorSlice {
    int rows = -1;                // the axis; -1: one row
    int columns = -1;             // another axis; -1: one column
    std::vector<std::int64_t> at; // by axis; missing ones are 0, those of rows and columns unused

    bool operator==(const TensorSlice&) const = default;
};

// The last two axes, at the beginning of all others.
TensorSlice firstSlice(const Shape& shape);

// The elements of the slice as a tensor [rows, columns]. Errors: an axis that the tensor does not
// have or that is named twice, and an index outside of its axis. O(elements of the slice).
Result<Tensor> sliceOf(const Tensor& tensor, const TensorSlice& slice, const Job& job);

} // namespace lapidary
