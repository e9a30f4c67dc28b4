// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/runner/kernels/one_node.h"

#include <functional>
#include <optional>
#include <vector>

namespace lapidary {

// Returns the input position of an element of the output; nothing for padding.
using SourceOf = std::function<std::optional<Dims>(const Dims& outputIndex)>;

using Ints = std::vector<std::int32_t>;

// Make a vector, and a matrix with two columns.
Value vectorOf(const Ints& numbers);
Value pairsOf(const Ints& numbers);

// A tensor whose elements all differ, of any dtype with a size, or of strings.
Value distinctValue(DType dtype, Dims dims);

// Returns the first fault, or an empty text if `output` has the shape and every element is the
// input's at `source`, or `filling`. Compares bytes and strings.
std::string wrongMove(const Value& input, const Result<Value>& output, const Dims& dims,
                      const SourceOf& source, const Value& filling = {});

// A dtype of each element size, and strings.
inline constexpr DType movedTypes[] = {DType::UInt8,  DType::Half,       DType::Float,
                                       DType::Double, DType::Complex128, DType::String};

} // namespace lapidary
