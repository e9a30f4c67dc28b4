// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Part of a tensor: for each dimension a start and a length; length -1 is the whole dimension.
struct SliceExtent {
    std::int64_t start = 0;
    std::int64_t length = -1;

    bool operator==(const SliceExtent&) const = default;
};
using Slice = std::vector<SliceExtent>;

// A TensorSliceProto.
std::optional<Slice> decodeSlice(std::string_view proto);
// The key under which a slice is stored: ordered code of 0, name, rank, starts and lengths.
std::string encodeSliceKey(std::string_view name, const Slice& slice);
// The parts of the key: what the slices of a variable have in common, and what tells them apart.
std::string encodeSliceVariable(std::string_view name);
std::string encodeSliceExtents(const Slice& slice);
bool isWhole(const Slice& slice, std::span<const std::int64_t> dims);

struct SliceFault {
    std::string kind; // "bad_slice", "overlapping_slices", "missing_slice"
    std::string message;
};
// Returns nothing if the slices cover a tensor of these sizes exactly. O(slices log slices) if
// lines across the tensor separate them one by one, as in a grid; O(slices^2) at most.
std::optional<SliceFault> checkTiling(std::span<const std::int64_t> dims,
                                      std::span<const Slice> slices);

// Returns the sizes of a slice that is inside the tensor.
std::vector<std::int64_t> sliceDims(const Slice& slice, std::span<const std::int64_t> dims);

// Calls move(to, from, count) for each run of elements of the slice that is contiguous in the
// whole; `from` counts within the slice.
using MoveRun = std::function<void(std::size_t to, std::size_t from, std::size_t count)>;
void forEachRun(std::span<const std::int64_t> dims, const Slice& slice, const MoveRun& move);

} // namespace lapidary
