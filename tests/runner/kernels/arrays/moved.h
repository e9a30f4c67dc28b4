// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/runner/kernels/one_node.h"

#include <functional>
#include <optional>
#include <vector>

namespace lapidary {

// Tells where in the input an element of the output comes from; nothing for padding.
using SourceOf = std::function<std::optional<Dims>(const Dims& outputIndex)>;

using Ints = std::vector<std::int32_t>;

// A vector; a matrix with two columns.
Value vectorOf(const Ints& numbers);
Value pairsOf(const Ints& numbers);

// Different elements in every place: of any dtype with a size, and strings.
Value distinctValue(DType dtype, Dims dims);

// Empty where `output` has the shape and every element is the input's at `source`, or `filling`;
// else what is wrong first. Compares bytes and strings.
std::string wrongMove(const Value& input, const Result<Value>& output, const Dims& dims,
                      const SourceOf& source, const Value& filling = {});

// One of each element size, and strings.
inline constexpr DType movedTypes[] = {DType::UInt8,  DType::Half,       DType::Float,
                                       DType::Double, DType::Complex128, DType::String};

} // namespace lapidary
