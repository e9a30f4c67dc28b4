// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/codes.h"

namespace lapidary {

// The first elements of inputs `min` and `max`, float tensors of any shape but empty.
Result<CodeRange> rangeOf(const KernelContext& context, std::size_t min, std::size_t max);
// Reads the range in inputs `min` and `min` + 1.
Result<CodeRange> rangeOf(const KernelContext& context, std::size_t min);
// Reads a range like rangeOf; `name`'s max must be larger than its min.
Result<CodeRange> growingRangeOf(const KernelContext& context, std::size_t min,
                                 std::string_view name);

// Outputs `first` and `first` + 1: two scalars.
Status setRange(KernelContext& context, CodeRange range, std::size_t first = 1);

} // namespace lapidary
