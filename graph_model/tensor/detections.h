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
    std::optional<BoxOrder> order = {}; // if not set, derived from the numbers
    double leastScore = 0.5;
    // Overlap (intersection over union) above which only the better of two boxes of one class is
    // kept. If not set, 0.5 unless the detector has selected its boxes itself.
    std::optional<double> mostOverlap = {};
    std::int64_t mostBoxes = 100;
    std::optional<NoObject> noObject = {}; // if not set, derived from the scores
    // Whether packed boxes have an objectness. If not set, decided by their numbers.
    std::optional<bool> hasObjectness = {};
    // Names of the tensors of scores and classes; empty: found by names and shapes; "-": none.
    std::string scores = {};
    std::string classes = {};

    bool operator==(const DetectionChoice&) const = default;
};

// A box in fractions of the picture's width and height.
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
// Returns the number of boxes of one element of the batch. isBoxShape() must be true.
std::int64_t boxCount(const Shape& shape);

// The tensors that a detector computes for one batch.
struct DetectionTensors {
    Tensor boxes;
    std::optional<Tensor> scores = {};  // as ScoreReader takes them
    std::optional<Tensor> classes = {}; // [.., boxes]
    int pictureWidth = 0;               // for coordinates in pixels; 0: not known
    int pictureHeight = 0;
    BoxOrder usualOrder = BoxOrder::TopLeftBottomRight; // if the numbers do not decide it
};

// The boxes to show, how their numbers and scores were interpreted, and how many were left out.
struct Detections {
    std::vector<DetectedBox> boxes; // the best first
    BoxOrder order = BoxOrder::TopLeftBottomRight;
    NoObject noObject = NoObject::None;
    ScoreKind kind = ScoreKind::Plain;
    std::int64_t classes = 1; // for which each box has a score
    bool arePacked = false;   // in one tensor with their scores
    bool hasObjectness = false;
    bool areApart = false;     // overlapping boxes were left out
    std::int64_t all = 0;      // number of boxes in the tensor
    std::int64_t notBoxes = 0; // not finite, or without a width or height
    std::int64_t lower = 0;    // with a score below the least
    std::int64_t overlapping = 0;
    std::int64_t further = 0; // beyond the maximum number
};

// Looks at the first element of the batch. Boxes of a packedShape() include their scores and
// classes. Numbers that are mostly above 2 are taken for pixels. Errors: other shapes, scores that
// do not fit, and, unless an order is chosen, numbers that are not boxes in any order, such as the
// offsets that a detector adds to its anchors.
Result<Detections> detectionsOf(const DetectionTensors& tensors, const DetectionChoice& choice,
                                const Job& job);

} // namespace lapidary
