// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/onnx/sliced_pool.h"

#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/lifted_functions.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;
using steps::both;

constexpr std::int64_t mostSlices = 256;
constexpr std::int64_t mostPlaces = 1 << 22; // elements of a channel of the result

Ints sums(const Ints& a, const Ints& b)
{
    Ints made(a);
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i] += b[i];
    return made;
}

// Returns the index of an element in row-major order.
std::int64_t indexOf(const Ints& at, const Ints& sizes)
{
    std::int64_t index = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis)
        index = index * sizes[axis] + at[axis];
    return index;
}

// Returns how many of the `count` numbers first, first + step, ... are below `limit`.
std::int64_t countBelow(std::int64_t limit, std::int64_t first, std::int64_t step,
                        std::int64_t count)
{
    return limit <= first ? 0 : std::min((limit - first - 1) / step + 1, count);
}

} // namespace

std::optional<SlicedPool> SlicedPool::of(LiftDraft& d, OnnxWindow window, std::size_t axes)
{
    const auto shape = d.shape(0);
    if (!shape || shape->dims.size() != axes + 2)
        return std::nullopt;
    SlicedPool pool;
    pool.m_channels = shape->dims[1];
    pool.m_sizes.assign(shape->dims.begin() + 2, shape->dims.end());
    if (axes == 1)
        pool.m_sizes.insert(pool.m_sizes.begin(), 1);
    pool.m_slices = onnxProduct(window.size);
    if (pool.m_slices > mostSlices)
        return std::nullopt;
    for (std::size_t axis = 0; axis < window.axes(); ++axis) {
        const std::int64_t size = pool.m_sizes[axis];
        const std::int64_t stride = window.stride[axis];
        if (size < 1 || size > mostOnnxSize)
            return std::nullopt;
        if (window.isSame) {
            const std::int64_t all = std::max<std::int64_t>(
                ((size + stride - 1) / stride - 1) * stride + window.reach(axis) - size, 0);
            window.before[axis] = all / 2;
            window.after[axis] = all - all / 2;
        }
        const std::int64_t whole =
            size + window.before[axis] + window.after[axis] + window.spare[axis];
        if (whole < window.reach(axis))
            return std::nullopt;
        pool.m_made.push_back((whole - window.reach(axis)) / stride + 1);
    }
    pool.m_window = std::move(window);
    return onnxProduct(pool.m_made) > mostPlaces ? std::nullopt : std::optional(pool);
}

Ints SlicedPool::offsets(std::int64_t slice) const
{
    Ints at(m_window.axes());
    for (std::size_t axis = at.size(); axis-- > 0; slice /= m_window.size[axis])
        at[axis] = slice % m_window.size[axis] * m_window.dilation[axis];
    return at;
}

std::string SlicedPool::slice(LiftDraft& d, const std::string& bordered, std::int64_t number) const
{
    const Ints at = offsets(number);
    Ints first{0};
    Ints last{0};
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
        first.push_back(at[axis]);
        last.push_back(at[axis] + (m_made[axis] - 1) * m_window.stride[axis] + 1);
    }
    first.push_back(0);
    last.push_back(0);
    const std::int64_t outer = 1 | (std::int64_t(1) << (at.size() + 1)); // not sliced
    const std::string begin = d.intList(first);
    const std::string end = d.intList(last);
    const std::string pace = d.intList(OnnxWindow::inner(m_window.stride));
    return d.step("StridedSlice", {bordered, begin, end, pace},
                  {typeAttr("T", DType::Float),
                   typeAttr("Index", DType::Int32),
                   {"begin_mask", attr::fromInt(outer)},
                   {"end_mask", attr::fromInt(outer)},
                   {"ellipsis_mask", attr::fromInt(0)},
                   {"new_axis_mask", attr::fromInt(0)},
                   {"shrink_axis_mask", attr::fromInt(0)}});
}

std::string SlicedPool::joined(LiftDraft& d, std::string_view op, const std::string& picture,
                               float outside) const
{
    const std::string bordered =
        withBorders(d, picture, m_window.before, sums(m_window.after, m_window.spare), outside);
    std::string made = slice(d, bordered, 0);
    for (std::int64_t i = 1; i < m_slices; ++i)
        made = both(d, op, made, slice(d, bordered, i));
    return made;
}

std::string SlicedPool::grid(LiftDraft& d, DType dtype,
                             const std::function<std::int64_t(const Ints&)>& value) const
{
    const std::int64_t count = d.functions().hasRoom(onnxProduct(m_made)) ? onnxProduct(m_made) : 0;
    Ints values;
    Ints at(m_made.size());
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i;
        for (std::size_t axis = at.size(); axis-- > 0; rest /= m_made[axis])
            at[axis] = rest % m_made[axis];
        values.push_back(value(at));
    }
    const std::string list =
        reshaped(d, d.longList(values), DType::Int64, OnnxWindow::inner(m_made));
    return steps::cast(d, list, DType::Int64, dtype);
}

std::string SlicedPool::counts(LiftDraft& d, bool countsPadding) const
{
    return grid(d, DType::Float, [&](const Ints& at) {
        std::int64_t all = 1;
        for (std::size_t axis = 0; axis < at.size(); ++axis) {
            const std::int64_t first = countsPadding ? 0 : m_window.before[axis];
            const std::int64_t end =
                m_window.before[axis] + m_sizes[axis] + (countsPadding ? m_window.after[axis] : 0);
            const auto readBelow = [&](std::int64_t limit) {
                return countBelow(limit, at[axis] * m_window.stride[axis], m_window.dilation[axis],
                                  m_window.size[axis]);
            };
            all *= readBelow(end) - readBelow(first);
        }
        return all;
    });
}

bool SlicedPool::tellsPlaces() const
{
    constexpr std::int64_t mostChannels = 1 << 20;
    return m_channels > 0 && m_channels <= mostChannels && onnxProduct(m_sizes) < mostOnnxSize &&
           onnxProduct(m_made) <= mostPlaces / m_slices;
}

// Returns the index in input 0 of the first element of each channel of each picture, [n, 1, ...,
// c].
std::string SlicedPool::firstOfChannel(LiftDraft& d, const std::string& picture) const
{
    const std::int64_t size = onnxProduct(m_sizes);
    Ints channels(std::size_t(m_channels), 0);
    std::iota(channels.begin(), channels.end(), 0);
    for (std::int64_t& place : channels)
        place *= size;
    const std::string number = steps::sizeAt(d, picture, DType::Float, 0);
    const std::string zero = d.oneInt64(0);
    const std::string pictures =
        d.step("Range", {zero, number, d.oneInt64(1)}, {typeAttr("Tidx", DType::Int64)});
    const std::string first = both(d, "Mul", pictures, d.oneInt64(m_channels * size), DType::Int64);
    Ints outer(m_sizes.size() + 2, 1);
    outer[0] = -1;
    return both(d, "AddV2", reshaped(d, first, DType::Int64, outer), d.longList(channels),
                DType::Int64);
}

SlicedPool::Largest SlicedPool::largest(LiftDraft& d, const std::string& picture,
                                        bool isByColumn) const
{
    constexpr float lowest = -std::numeric_limits<float>::infinity();
    const std::string bordered =
        withBorders(d, picture, m_window.before, sums(m_window.after, m_window.spare), lowest);
    Largest made;
    for (std::int64_t i = 0; i < m_slices; ++i) {
        const Ints offset = offsets(i);
        const std::string values = slice(d, bordered, i);
        const std::string places = grid(d, DType::Int64, [&](const Ints& at) {
            Ints inside(at);
            for (std::size_t axis = 0; axis < at.size(); ++axis)
                inside[axis] =
                    at[axis] * m_window.stride[axis] + offset[axis] - m_window.before[axis];
            Ints sizes(m_sizes);
            if (isByColumn) {
                std::ranges::reverse(inside);
                std::ranges::reverse(sizes);
            }
            return indexOf(inside, sizes);
        });
        if (i == 0) {
            const std::string zeros =
                steps::cast(d, steps::one(d, "ZerosLike", values), DType::Float, DType::Int64);
            made = {values, both(d, "AddV2", zeros, places, DType::Int64)};
            continue;
        }
        const std::string isMore = both(d, "Greater", values, made.values);
        made.places = steps::select(d, isMore, places, made.places, DType::Int64);
        made.values = both(d, "Maximum", made.values, values);
    }
    made.places = both(d, "AddV2", made.places, firstOfChannel(d, picture), DType::Int64);
    return made;
}

} // namespace lapidary
