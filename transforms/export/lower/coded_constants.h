// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/lower/lowering.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// Returns the constant with its axes in another order: axis i is axis order[i] of it. Its scales go
// with it; if those of several axes would no longer be adjacent it has none and is written in
// floats. Nothing if `order` does not name each axis once.
std::optional<TensorIndex> turnedConstant(LowerNode& node, TensorIndex constant,
                                          const std::vector<std::int64_t>& order);

// For a node that only changes the order or the sizes of a constant: make output 0 the changed
// constant if it is written in codes. Return false otherwise.
bool turnsCodes(LowerNode& node, const std::vector<std::int64_t>& order);
bool reshapesCodes(LowerNode& node);

} // namespace lapidary
