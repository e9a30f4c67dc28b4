// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// What the four numbers of a box are.
enum class BoxOrder {
    TopLeftBottomRight, // as TensorFlow's detectors write them
    LeftTopRightBottom,
    CenterAndSize, // x, y, width, height
};

struct DetectionChoice {
    BoxOrder order = BoxOrder::TopLeftBottomRight;
    double leastScore = 0.5;
    // Tensors of the scores and the classes; empty: those that their names tell; "-": none.
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

// Boxes are [boxes, 4] or [batch, boxes, 4]; [boxes, 1, 4] and [batch, boxes, 1, 4], too.
bool isBoxShape(const Shape& shape);

// The tensors that a detector computes for one batch.
struct DetectionTensors {
    Tensor boxes;
    std::optional<Tensor> scores =
        {}; // [.., boxes] or, with one for each class, [.., boxes, classes]
    std::optional<Tensor> classes = {}; // [.., boxes]
    int pictureWidth = 0;               // for coordinates in pixels; 0: not known
    int pictureHeight = 0;
};
// Returns boxes of the first element of the batch whose scores are high enough, the best first.
// Numbers beyond 2 are taken for pixels. Errors: other shapes, and as many scores as do not fit.
Result<std::vector<DetectedBox>> detectionsOf(const DetectionTensors& tensors,
                                              const DetectionChoice& choice, const Job& job);

} // namespace lapidary
