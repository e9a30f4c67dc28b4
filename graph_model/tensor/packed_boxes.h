// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/box_numbers.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>

namespace lapidary {

// Boxes in one tensor with their scores, as YOLO's heads make them: the four numbers of each box
// are followed by its objectness (the score that there is an object), a score for every class, or
// both. [batch, boxes, numbers] or [batch, numbers, boxes].
struct PackedShape {
    std::int64_t boxes = 0;
    std::int64_t numbers = 0; // of each box, 5 at least
    bool areRows = true;      // the numbers of one box are adjacent

    bool operator==(const PackedShape&) const = default;
};

// Returns nothing where boxes cannot be packed so. There are always more boxes than numbers.
std::optional<PackedShape> packedShape(const Shape& shape);

// Returns whether a detector may have so many boxes: the same number in every cell of several grids
// over a picture of this size, each half as fine as the one before.
bool isGridOf(std::int64_t boxes, PixelSize picture);

// Returns whether the six numbers of each box are its corners, a score that falls from box to box,
// and its class as a whole number: the detector has selected the boxes itself.
bool areChosenBoxes(const Tensor& tensor);

struct UnpackedBoxes {
    Tensor boxes;                       // [boxes, 4]
    Tensor scores;                      // [boxes, classes]
    std::optional<Tensor> classes = {}; // [boxes]; the detector has chosen one of each already
    BoxOrder usualOrder = BoxOrder::CenterAndSize;
    bool hasObjectness = false; // scores are those of the classes times the objectness
};

// Unpacks the boxes of the first element of the batch. Scores outside of [0, 1] are logits of a
// sigmoid. `hasObjectness` says whether there is an objectness; without it the numbers decide: with
// an objectness most boxes have a class although they hold no object, without one most have none.
// Boxes that areChosenBoxes() are taken as such.
// Errors: cancelled, and types without numbers. The shape is a packed one. O(elements).
Result<UnpackedBoxes> unpackedBoxes(const Tensor& tensor, std::optional<bool> hasObjectness,
                                    const Job& job);

} // namespace lapidary
