// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Returns the elements of a row-major tensor with its axes in another order: axis i of the result
// is axis order[i] of the input. O(elements).
std::string permuted(std::string_view bytes, std::span<const std::int64_t> dims,
                     std::span<const std::int64_t> order, std::size_t elementSize);
// Returns the sizes in that order.
std::vector<std::int64_t> permutedDims(std::span<const std::int64_t> dims,
                                       std::span<const std::int64_t> order);

} // namespace lapidary
