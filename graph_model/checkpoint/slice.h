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

// Decodes a TensorSliceProto. Returns nothing if it is damaged.
std::optional<Slice> decodeSlice(std::string_view proto);
// Returns the key of a stored slice: ordered code of 0, name, rank, starts and lengths.
std::string encodeSliceKey(std::string_view name, const Slice& slice);
// The two parts of the key: the one that all slices of a variable share, and the one of the slice.
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

// Calls move(to, from, count) for each run of elements of the slice that is contiguous in the whole
// tensor; `from` counts within the slice.
using MoveRun = std::function<void(std::size_t to, std::size_t from, std::size_t count)>;
void forEachRun(std::span<const std::int64_t> dims, const Slice& slice, const MoveRun& move);

} // namespace lapidary
