// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/node.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// The parameters of a StridedSlice node. Entries may be unknownItem.
struct SliceEntry {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t stride = 1;
};
struct SliceSpec {
    std::vector<SliceEntry> entries; // less than 32
    std::uint32_t beginMask = 0;
    std::uint32_t endMask = 0;
    std::uint32_t ellipsisMask = 0;
    std::uint32_t newAxisMask = 0;
    std::uint32_t shrinkAxisMask = 0;

    static SliceSpec of(const Node& node); // the masks
};

// The result for a known rank: the output's shape, and the begin and stride of each input dimension
// (unknownItem if unknown).
struct Slicing {
    Shape output;
    struct Axis {
        std::int64_t begin = 0;
        std::int64_t stride = 1;
        std::int64_t size = 0; // of the slice, -1 if unknown; 1 for a removed axis
    };
    std::vector<Axis> axes;
};
Result<Slicing> sliceShape(const Shape& input, const SliceSpec& spec);

} // namespace lapidary
