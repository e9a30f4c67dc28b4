// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// How a constant that leaves its zeros out is stored: axis within axis, from the outermost.
struct SparseAxis {
    bool isSparse = false;
    std::int64_t size = 0;              // of all places, stored or not
    std::vector<std::int64_t> segments; // sparse: where the places of each outer index begin
    std::vector<std::int64_t> places;   // sparse: what is stored
};

// The axes of the tensor and, behind them, those of blocks that some of them are cut into.
struct SparseLayout {
    std::vector<std::int64_t> order;  // which axis a level is; from the tensor's rank on: a block's
    std::vector<std::int64_t> blocks; // the axis that each block cuts
    std::vector<SparseAxis> axes;     // by level
};

// The bytes of all elements in order, zeros where nothing is stored. Nothing where the layout does
// not fit the sizes or the stored values, or there would be more than `limit` bytes.
std::optional<std::string> denseValues(const SparseLayout& layout,
                                       const std::vector<std::int32_t>& sizes,
                                       std::size_t elementSize, std::string_view stored,
                                       std::uint64_t limit);

} // namespace lapidary
