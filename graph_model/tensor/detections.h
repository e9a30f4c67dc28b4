// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/box_numbers.h"
#include "graph_model/tensor/box_scores.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

struct DetectionChoice {
    std::optional<BoxOrder> order = {}; // nothing: what the numbers say
    double leastScore = 0.5;
    // Of two boxes of one class with a larger intersection over union than this, the better one is
    // kept. If not set, 0.5 unless the detector has selected its boxes itself.
    std::optional<double> mostOverlap = {};
    std::int64_t mostBoxes = 100;
    std::optional<NoObject> noObject = {}; // nothing: what the scores say
    // Whether packed boxes have an objectness. If not set, decided by their numbers.
    std::optional<bool> hasObjectness = {};
    // Tensors of the scores and the classes; empty: those that their names and shapes tell; "-":
    // none.
    std::string scores = {};
    std::string classes = {};

    bool operator==(const DetectionChoice&) const = default;
};

// A box in shares of the picture's width and height.
struct DetectedBox {
    std::int64_t index = 0;
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
    double score = 1;
    std::optional<std::int64_t> ofClass;
};

// Returns whether tensors of this shape may be boxes: [boxes, 4], [batch, boxes, 4], [boxes, 1, 4]
// or [batch, boxes, 1, 4].
bool isBoxShape(const Shape& shape);
// Returns the number of boxes of one element of the batch. The shape must be one of boxes.
std::int64_t boxCount(const Shape& shape);

// The tensors that a detector computes for one batch.
struct DetectionTensors {
    Tensor boxes;
    std::optional<Tensor> scores = {};  // as ScoreReader takes them
    std::optional<Tensor> classes = {}; // [.., boxes]
    int pictureWidth = 0;               // for coordinates in pixels; 0: not known
    int pictureHeight = 0;
    BoxOrder usualOrder = BoxOrder::TopLeftBottomRight; // where the numbers do not say it
};

// The boxes that are shown, how their numbers and scores were taken, and what was left out.
struct Detections {
    std::vector<DetectedBox> boxes; // the best first
    BoxOrder order = BoxOrder::TopLeftBottomRight;
    NoObject noObject = NoObject::None;
    ScoreKind kind = ScoreKind::Plain;
    std::int64_t classes = 1; // that each box has a score for
    bool arePacked = false;   // with their scores, in one tensor
    bool hasObjectness = false;
    bool areApart = false;     // overlapping ones were left out
    std::int64_t all = 0;      // boxes that the tensor has
    std::int64_t notBoxes = 0; // not finite, or without a width or height
    std::int64_t lower = 0;    // with a lower score than the least
    std::int64_t overlapping = 0;
    std::int64_t further = 0; // beyond the most that are shown
};

// Looks at the first element of the batch. Boxes of a packedShape() bring their own scores and
// classes. Numbers that are mostly above 2 are taken for pixels. Errors: other shapes, scores that
// do not fit, and, unless an order is chosen, numbers that are not boxes in any order, such as the
// offsets that a detector adds to its anchors.
Result<Detections> detectionsOf(const DetectionTensors& tensors, const DetectionChoice& choice,
                                const Job& job);

} // namespace lapidary
