// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/slice.h"

#include "graph_model/base/wire.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lapidary {
namespace {

void appendNumber(std::string& out, std::uint64_t value)
{
    std::string bytes;
    for (; value != 0; value >>= 8)
        bytes.insert(bytes.begin(), char(value & 0xFF));
    out += char(bytes.size());
    out += bytes;
}

void appendText(std::string& out, std::string_view text)
{
    for (const char c : text) {
        out += c;
        if (c == '\0')
            out += '\xff';
        else if (c == '\xff')
            out += '\0';
    }
    out.append({'\0', '\1'});
}

// Appends big-endian two's complement whose leading bits are the number of bytes.
void appendSigned(std::string& out, std::int64_t value)
{
    const auto magnitude = std::uint64_t(value < 0 ? ~value : value);
    int count = 1;
    while (count < 10 && magnitude >> (7 * count - 1) != 0)
        ++count;
    std::string bytes(std::size_t(count), value < 0 ? '\xff' : '\0');
    for (int i = 0; i < std::min(count, 8); ++i)
        bytes[std::size_t(count - 1 - i)] = char(std::uint64_t(value) >> (8 * i) & 0xFF);
    constexpr std::uint16_t headers[] = {0,      0x8000, 0xc000, 0xe000, 0xf000, 0xf800,
                                         0xfc00, 0xfe00, 0xff00, 0xff80, 0xffc0};
    bytes[0] = char(bytes[0] ^ char(headers[count] >> 8));
    if (count > 1)
        bytes[1] = char(bytes[1] ^ char(headers[count] & 0xFF));
    out += bytes;
}

std::optional<SliceExtent> decodeExtent(std::string_view proto)
{
    SliceExtent extent;
    WireReader reader(proto);
    while (reader.next()) {
        if (reader.field() == 1 && reader.type() == WireType::Varint)
            extent.start = std::int64_t(reader.varint());
        else if (reader.field() == 2 && reader.type() == WireType::Varint)
            extent.length = std::int64_t(reader.varint());
    }
    return reader.failed() ? std::nullopt : std::optional(extent);
}

SliceExtent resolved(const SliceExtent& extent, std::int64_t dim)
{
    return extent.length < 0 ? SliceExtent{0, dim} : extent;
}

bool isInside(const Slice& slice, std::span<const std::int64_t> dims)
{
    if (slice.size() != dims.size())
        return false;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const SliceExtent extent = resolved(slice[i], dims[i]);
        if (extent.start < 0 || extent.length < 0 || extent.start > dims[i] ||
            extent.length > dims[i] - extent.start)
            return false;
    }
    return true;
}

bool overlap(const Slice& a, const Slice& b, std::span<const std::int64_t> dims)
{
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const SliceExtent x = resolved(a[i], dims[i]);
        const SliceExtent y = resolved(b[i], dims[i]);
        if (x.start + x.length <= y.start || y.start + y.length <= x.start)
            return false;
    }
    return true;
}

std::int64_t volumeOf(std::span<const std::int64_t> sizes)
{
    std::int64_t product = 1;
    for (const std::int64_t size : sizes)
        product *= size;
    return product;
}

using SliceGroup = std::vector<const Slice*>;

// Divides the group along lines across the axis that no slice crosses; returns one part if there is
// no such line.
std::vector<SliceGroup> cutAlong(SliceGroup group, std::size_t axis, std::int64_t dim)
{
    const auto startOf = [&](const Slice* slice) { return resolved((*slice)[axis], dim).start; };
    std::ranges::sort(group, {}, startOf);
    std::vector<SliceGroup> parts;
    std::int64_t end = -1;
    for (const Slice* slice : group) {
        const SliceExtent extent = resolved((*slice)[axis], dim);
        if (parts.empty() || extent.start >= end)
            parts.emplace_back();
        parts.back().push_back(slice);
        end = std::max(end, extent.start + extent.length);
    }
    return parts;
}

bool anyPairOverlaps(const SliceGroup& group, std::span<const std::int64_t> dims)
{
    for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (overlap(*group[i], *group[k], dims))
                return true;
    return false;
}

// Divides groups recursively, which is always possible for the grids of savers; the remaining
// slices are compared in pairs.
bool anyOverlap(SliceGroup all, std::span<const std::int64_t> dims)
{
    constexpr std::size_t few = 8;
    std::vector<SliceGroup> groups{std::move(all)};
    while (!groups.empty()) {
        const SliceGroup group = std::move(groups.back());
        groups.pop_back();
        bool isCut = group.size() < 2;
        for (std::size_t axis = 0; axis < dims.size() && !isCut && group.size() > few; ++axis) {
            auto parts = cutAlong(group, axis, dims[axis]);
            isCut = parts.size() > 1;
            if (isCut)
                std::ranges::move(parts, std::back_inserter(groups));
        }
        if (!isCut && anyPairOverlaps(group, dims))
            return true;
    }
    return false;
}

} // namespace

std::optional<Slice> decodeSlice(std::string_view proto)
{
    Slice slice;
    WireReader reader(proto);
    while (reader.next()) {
        if (reader.field() != 1 || reader.type() != WireType::Bytes)
            continue;
        const auto extent = decodeExtent(reader.bytes());
        if (!extent || slice.size() == 254)
            return {};
        slice.push_back(*extent);
    }
    return reader.failed() ? std::nullopt : std::optional(slice);
}

std::string encodeSliceKey(std::string_view name, const Slice& slice)
{
    return encodeSliceVariable(name) + encodeSliceExtents(slice);
}

std::string encodeSliceVariable(std::string_view name)
{
    std::string key;
    appendNumber(key, 0);
    appendText(key, name);
    return key;
}

std::string encodeSliceExtents(const Slice& slice)
{
    std::string key;
    appendNumber(key, slice.size());
    for (const SliceExtent& extent : slice) {
        appendSigned(key, extent.length < 0 ? 0 : extent.start);
        appendSigned(key, extent.length < 0 ? -1 : extent.length);
    }
    return key;
}

bool isWhole(const Slice& slice, std::span<const std::int64_t> dims)
{
    return slice.size() == dims.size() &&
           std::equal(slice.begin(), slice.end(), dims.begin(),
                      [](const SliceExtent& extent, std::int64_t dim) {
                          return extent.length < 0 || (extent.start == 0 && extent.length == dim);
                      });
}

std::optional<SliceFault> checkTiling(std::span<const std::int64_t> dims,
                                      std::span<const Slice> slices)
{
    constexpr std::size_t most = 1U << 14;
    if (slices.size() > most)
        return SliceFault{"bad_slice", "more slices than a saver writes"};
    SliceGroup all; // slices that are not empty
    for (const Slice& slice : slices) {
        if (!isInside(slice, dims))
            return SliceFault{"bad_slice", "a slice lies outside the tensor"};
        if (volumeOf(sliceDims(slice, dims)) > 0)
            all.push_back(&slice);
    }
    if (anyOverlap(all, dims))
        return SliceFault{"overlapping_slices", "two slices overlap"};
    std::int64_t covered = 0;
    for (const Slice* slice : all)
        covered += volumeOf(sliceDims(*slice, dims)); // disjoint parts: at most the whole
    if (covered != volumeOf(dims))
        return SliceFault{"missing_slice", "the slices do not cover the tensor"};
    return {};
}

std::vector<std::int64_t> sliceDims(const Slice& slice, std::span<const std::int64_t> dims)
{
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < slice.size(); ++i)
        sizes.push_back(resolved(slice[i], dims[i]).length);
    return sizes;
}

void forEachRun(std::span<const std::int64_t> dims, const Slice& slice, const MoveRun& move)
{
    const std::size_t rank = dims.size();
    const std::vector<std::int64_t> sizes = sliceDims(slice, dims);
    if (std::ranges::find(sizes, 0) != sizes.end())
        return;
    if (rank == 0)
        return move(0, 0, 1);
    std::vector<std::int64_t> stride(rank, 1);
    for (std::size_t i = rank - 1; i > 0; --i)
        stride[i - 1] = stride[i] * dims[i];
    std::vector<std::int64_t> index(rank, 0);
    std::int64_t to = 0;
    for (std::size_t i = 0; i < rank; ++i)
        to += resolved(slice[i], dims[i]).start * stride[i];
    const auto run = std::size_t(sizes[rank - 1]);
    std::size_t from = 0;
    bool isDone = false;
    while (!isDone) {
        move(std::size_t(to), from, run);
        from += run;
        isDone = true;
        for (std::size_t axis = rank - 1; axis-- > 0;) {
            to += stride[axis];
            if (++index[axis] < sizes[axis]) {
                isDone = false;
                break;
            }
            to -= stride[axis] * index[axis];
            index[axis] = 0;
        }
    }
}

} // namespace lapidary
