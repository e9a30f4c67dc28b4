// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/codes.h"

namespace lapidary {

// Reads the range from the first elements of inputs `min` and `max`, float tensors of any shape.
// Fails if they are empty.
Result<CodeRange> rangeOf(const KernelContext& context, std::size_t min, std::size_t max);
// Reads the range in inputs `min` and `min` + 1.
Result<CodeRange> rangeOf(const KernelContext& context, std::size_t min);
// Reads a range like rangeOf(). Fails if its max is not larger than its min; `name` is for the
// error.
Result<CodeRange> growingRangeOf(const KernelContext& context, std::size_t min,
                                 std::string_view name);

// Sets the outputs `first` and `first` + 1 to min and max, two scalars.
Status setRange(KernelContext& context, CodeRange range, std::size_t first = 1);

} // namespace lapidary
