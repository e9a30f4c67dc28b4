// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// A table cut out of a tensor: one axis as rows, one as columns, every other axis at one index.
struct TensorSlice {
    int rows = -1;                // the axis; -1: one row
    int columns = -1;             // another axis; -1: one column
    std::vector<std::int64_t> at; // index by axis; missing ones are 0, others may be unused

    bool operator==(const TensorSlice&) const = default;
};

// Returns the slice of the last two axes, at index 0 of all others.
TensorSlice firstSlice(const Shape& shape);

// Returns the elements of the slice as a tensor [rows, columns]. Errors: an axis that the tensor
// does not have or that is named twice, and an index outside of its axis. O(elements of the slice).
Result<Tensor> sliceOf(const Tensor& tensor, const TensorSlice& slice, const Job& job);

} // namespace lapidary
