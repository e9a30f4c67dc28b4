// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/shape.h"
#include "views/models/run/value_report.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

class Document;

// The tensors with the scores and the classes of boxes; empty if unknown.
struct DetectionNames {
    std::string scores;
    std::string classes;

    bool operator==(const DetectionNames&) const = default;
};

// Tells whether the name of a tensor mentions boxes: "detection_boxes:0".
bool speaksOfBoxes(std::string_view tensor);
// A tensor that may be scores or classes; its shape may be wholly or partly unknown.
struct DetectionCandidate {
    std::string tensor;
    Shape shape = {};
};

// Finds the scores and classes of `count` boxes among the candidates: by their names, as TensorFlow
// and TFLite spell them, unless the shape contradicts; else by the shape alone. A tensor named
// classes with a number for every class holds the scores.
DetectionNames detectionNames(const std::string& boxes, std::int64_t count,
                              const std::vector<DetectionCandidate>& candidates);

// Returns the tensors that may be scores or classes of these boxes: further outputs of their node,
// and the chosen outputs of the model.
std::vector<DetectionCandidate> detectionCandidates(const Document& document,
                                                    const std::string& boxes);
// Returns what is known about the boxes' scores, classes and picture. Values that are not kept are
// computed in the background; the session's changed() is emitted when they are ready.
DetectionContext detectionContext(Document& document, const std::string& boxes, const Shape& shape,
                                  const DetectionChoice& choice);
// Tells whether an output of the model is boxes, judging by the other outputs: rows of four numbers
// and another output with as many scores; or packed boxes, as many as a grid over the fed picture
// has.
bool areBoxesByShape(const Document& document, const std::string& tensor, const Shape& shape);

// Returns the chosen output that says most: the boxes of a detector, which are shown with their
// scores and classes, else the first one. There must be one.
NodeId mainOutput(const Document& document);

} // namespace lapidary
