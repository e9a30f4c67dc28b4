// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace lapidary {

// Returns the intersection over union of boxes i and j. A box is the coordinates of two opposite
// corners. Each step is rounded to T. Boxes without area overlap nothing.
template <class T>
T overlapOf(std::span<const T> boxes, std::size_t i, std::size_t j)
{
    const auto low = [&](std::size_t box, std::size_t axis) {
        return std::min(boxes[box * 4 + axis], boxes[box * 4 + axis + 2]);
    };
    const auto high = [&](std::size_t box, std::size_t axis) {
        return std::max(boxes[box * 4 + axis], boxes[box * 4 + axis + 2]);
    };
    const auto extent = [](T from, T to) { return T(wide(to) - wide(from)); };
    const auto product = [](T a, T b) { return T(wide(a) * wide(b)); };
    const auto area = [&](std::size_t box) {
        return product(extent(low(box, 0), high(box, 0)), extent(low(box, 1), high(box, 1)));
    };
    const T areaI = area(i);
    const T areaJ = area(j);
    if (areaI <= T(0.0F) || areaJ <= T(0.0F))
        return T(0.0F);
    const auto shared = [&](std::size_t axis) {
        const T from = std::max(low(i, axis), low(j, axis));
        const T to = std::min(high(i, axis), high(j, axis));
        return std::max(extent(from, to), T(0.0F));
    };
    const T both = product(shared(0), shared(1));
    return T(wide(both) / wide(T(wide(T(wide(areaI) + wide(areaJ))) - wide(both))));
}

} // namespace lapidary
