// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <string_view>
#include <vector>

namespace lapidary {

// Checked operands of the ops in the folders `arrays` and `indexing`; errors name node and operand.

// Returns an axis in [0, rank). `axis` is in [-rank, rank); negative ones count from the end.
Result<int> resolveAxis(const KernelContext& context, std::int64_t axis, int rank);
// Returns an input that is an int32 or int64 scalar.
Result<std::int64_t> integerScalar(const KernelContext& context, std::size_t input,
                                   std::string_view name);
// Returns an axis that is an input: a tensor of one element.
Result<int> axisArgument(const KernelContext& context, std::size_t input, std::string_view name,
                         int rank);
// Returns an input that is an int32 or int64 vector.
Result<std::vector<std::int64_t>> integerVector(const KernelContext& context, std::size_t input,
                                                std::string_view name);
// Returns an input that is a matrix [rows, 2] of sizes, none of them negative (paddings, crops).
Result<std::vector<std::int64_t>> sizePairs(const KernelContext& context, std::size_t input,
                                            std::string_view name, std::int64_t rows);

// Sizes too large for int64 become its maximum, for which every allocation fails.
std::int64_t cappedSum(std::int64_t a, std::int64_t b);
std::int64_t cappedProduct(std::int64_t a, std::int64_t b);

std::int64_t sizeOfAxes(const Dims& dims, std::size_t first, std::size_t last); // [first, last)

} // namespace lapidary
