// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Index tuples (the last axis of `indices`, K long) into a tensor: each names a slice over the
// first K axes.
struct SliceNumbers {
    std::vector<std::int64_t> numbers; // one a tuple, row-major
    std::int64_t slices = 1;           // how many the tensor has
    std::int64_t elements = 1;         // of one slice
};

// Fails with an error that names the tuple if one is not inside `dims`.
Result<SliceNumbers> readSliceNumbers(const KernelContext& context, const Value& indices,
                                      const Dims& dims);

} // namespace lapidary
