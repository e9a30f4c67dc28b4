// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/box_numbers.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>

namespace lapidary {

// Boxes in one tensor with all that belongs to them: behind the four numbers of each stands how
// sure it is that there is something, a score for every class, or both. So YOLO's heads are.
// [batch, boxes, numbers] or [batch, numbers, boxes].
struct PackedShape {
    std::int64_t boxes = 0;
    std::int64_t numbers = 0; // of each box, 5 at least
    bool areRows = true;      // the numbers of one box lie beside each other

    bool operator==(const PackedShape&) const = default;
};

// Nothing where boxes cannot be packed so. There are more boxes than numbers.
std::optional<PackedShape> packedShape(const Shape& shape);

// Whether a detector may have so many boxes: the same number at every place of several grids over
// a picture of this size, of which each is half as fine as the one before.
bool isGridOf(std::int64_t boxes, PixelSize picture);

// Whether the six numbers of each box are its corners, a score that falls from box to box, and a
// whole one, its class: the detector has chosen among its boxes itself.
bool areChosenBoxes(const Tensor& tensor);

struct UnpackedBoxes {
    Tensor boxes;                       // [boxes, 4]
    Tensor scores;                      // [boxes, classes]
    std::optional<Tensor> classes = {}; // [boxes]; the detector has chosen one of each already
    BoxOrder usualOrder = BoxOrder::CenterAndSize;
    bool hasObjectness = false; // scores are those of the classes, times what stands before them
};

// Unpacks those of the first element of the batch. Numbers outside of 0 and 1 behind the
// coordinates are logits of a sigmoid. `hasObjectness`: what is chosen; nothing: what the numbers
// say. Where a detector tells whether there is something, most places have some class, but hold
// nothing; where it does not, most have none. areChosenBoxes() are taken as such.
// Errors: cancelled, and types without numbers. The shape is a packed one. O(elements).
Result<UnpackedBoxes> unpackedBoxes(const Tensor& tensor, std::optional<bool> hasObjectness,
                                    const Job& job);

} // namespace lapidary
