// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/box_numbers.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>

namespace lapidary {

// The shape of boxes that are in one tensor with their scores, as YOLO's heads make them: the four
// numbers of each box are followed by its objectness (the score that there is an object), a score
// for every class, or both. [batch, boxes, numbers] or [batch, numbers, boxes].
struct PackedShape {
    std::int64_t boxes = 0;
    std::int64_t numbers = 0; // of each box; at least 5
    bool areRows = true;      // the numbers of one box are adjacent

    bool operator==(const PackedShape&) const = default;
};

// Returns nothing if a shape cannot be one of packed boxes. There are always more boxes than
// numbers.
std::optional<PackedShape> packedShape(const Shape& shape);

// Returns whether a detector may have this number of boxes: the same number in every cell of
// several grids over a picture of this size, each half as fine as the one before.
bool isGridOf(std::int64_t boxes, PixelSize picture);

// Returns whether the six numbers of each box are its corners, a score that decreases from box to
// box, and its class as an integer: the detector has selected the boxes itself.
bool areChosenBoxes(const Tensor& tensor);

struct UnpackedBoxes {
    Tensor boxes;                       // [boxes, 4]
    Tensor scores;                      // [boxes, classes]
    std::optional<Tensor> classes = {}; // [boxes], if the detector has chosen one for each box
    BoxOrder usualOrder = BoxOrder::CenterAndSize;
    bool hasObjectness = false; // scores are class scores times objectness
};

// Unpacks the boxes of the first element of the batch. Scores outside of [0, 1] are logits of a
// sigmoid. `hasObjectness`: whether there is an objectness; if not set, the numbers decide: with an
// objectness most boxes have a class although they contain no object, without one most have none.
// If areChosenBoxes(), the boxes keep their scores and classes.
// Errors: cancelled, and types without numbers. The shape must be a packed one. O(elements).
Result<UnpackedBoxes> unpackedBoxes(const Tensor& tensor, std::optional<bool> hasObjectness,
                                    const Job& job);

} // namespace lapidary
