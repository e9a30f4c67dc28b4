// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace lapidary {

// The meaning of the four numbers of a box.
enum class BoxOrder {
    TopLeftBottomRight, // as TensorFlow's detectors write them
    LeftTopRightBottom,
    CenterAndSize, // x, y, width, height
};

// The width and height that coordinates in pixels refer to, in pixels; 0: unknown.
struct PixelSize {
    int width = 0;
    int height = 0;
};

// Returns whether the numbers of most boxes are above 2, so that they are pixels, not fractions of
// the picture.
bool arePixels(std::span<const double> numbers);

// Returns the order of the numbers of boxes, four each. Returns nothing if they are not boxes in
// any order: three in four need a width and a height and some part inside the picture, whereas the
// offsets that a detector adds to its anchors are negative as often as not.
//
// Corners with y first and with x first look alike. A detector that has a box for every cell of its
// grid lists them row by row, so that x goes back and forth much more often than y, which
// distinguishes the two orders. So do pixels beyond the shorter side of the picture. Otherwise the
// order is `usual`. O(boxes).
std::optional<BoxOrder> orderOf(std::span<const double> numbers, PixelSize size, BoxOrder usual);

} // namespace lapidary
