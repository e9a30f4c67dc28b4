// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One level of a sparse constant, which stores no zeros; levels are nested, the outermost first.
struct SparseAxis {
    bool isSparse = false;
    std::int64_t size = 0;              // of the axis, if it is dense
    std::vector<std::int64_t> segments; // sparse: where in `places` each outer index begins
    std::vector<std::int64_t> places;   // sparse: the stored indices
};

// The levels of a sparse constant: the axes of the tensor, followed by those of the blocks into
// which some of them are divided.
struct SparseLayout {
    std::vector<std::int64_t> order;  // axis of each level; from the tensor's rank on: a block's
    std::vector<std::int64_t> blocks; // the axis that each block divides
    std::vector<SparseAxis> axes;     // by level
};

// Returns the bytes of all elements in row-major order, zeros where nothing is stored. Nothing if
// the layout does not fit the sizes or the stored values, or there would be more than `limit`
// bytes. O(elements * levels).
std::optional<std::string> denseValues(const SparseLayout& layout,
                                       const std::vector<std::int32_t>& sizes,
                                       std::size_t elementSize, std::string_view stored,
                                       std::uint64_t limit);

} // namespace lapidary
