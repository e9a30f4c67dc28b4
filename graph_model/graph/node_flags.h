// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lapidary {

// One flag for each node of a graph. A flag is a byte: with std::vector<bool>, the search for the
// interface of a graph took half as long again.
using NodeFlags = std::vector<std::uint8_t>;

} // namespace lapidary
