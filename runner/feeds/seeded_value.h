// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

#include <cstdint>

namespace lapidary {

struct SeededRange {
    double low = -1;
    double high = 1;
};

// Returns numbers that depend on the seed alone and are the same on every machine: element i
// (row-major) is low + (high - low) * u with u of [0, 1) from splitmix64, computed as double and
// cast to the dtype (integers are truncated; a bool is true unless it is 0).
Result<Value> seededValue(DType dtype, Dims dims, std::uint64_t seed, SeededRange range,
                          MemoryPool& pool);

// Returns one to four words of lower-case letters for each element, by the same rule.
Result<Value> seededWords(Dims dims, std::uint64_t seed, const MemoryPool& pool);

// Returns the range of "random" without bounds: [-1, 1) for floats, the whole range of 8-bit types,
// [0, 2) for bools and for wider integers, which are mostly indices and counts.
SeededRange usualRange(DType dtype);

} // namespace lapidary
