// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/indexing/slice_numbers.h"

namespace lapidary {

enum class ScatterMode { Update, Add, Subtract };

// Checks that `updates` holds one slice of a tensor of shape `dims` for each index tuple.
Status checkUpdates(const KernelContext& context, const Value& indices, const Value& updates,
                    const Dims& dims);
// Writes, adds or subtracts the updates one after the other; integers wrap, strings are appended.
Status scatterSlices(const KernelContext& context, Value& to, const SliceNumbers& at,
                     const Value& updates, ScatterMode mode);

} // namespace lapidary
