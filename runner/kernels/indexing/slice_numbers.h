// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Index tuples of a tensor, each along the last axis of `indices`. A tuple of K indices names a
// slice: the elements with these indices in the first K axes.
struct SliceNumbers {
    std::vector<std::int64_t> numbers; // row-major number of the slice of each tuple
    std::int64_t slices = 1;           // number of slices of the tensor
    std::int64_t elements = 1;         // of one slice
};

// Fails if a tuple is not inside `dims`; the error names it.
Result<SliceNumbers> readSliceNumbers(const KernelContext& context, const Value& indices,
                                      const Dims& dims);

} // namespace lapidary
