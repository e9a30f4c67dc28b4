// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/shape.h"
#include "views/models/run/value_report.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

class Document;

// Which tensors hold the scores and the classes of boxes; empty: none is known.
struct DetectionNames {
    std::string scores;
    std::string classes;

    bool operator==(const DetectionNames&) const = default;
};

// Tells whether the name of a tensor speaks of boxes: "detection_boxes:0".
bool speaksOfBoxes(std::string_view tensor);
// A tensor that may be scores or classes; its shape may be unknown, or in part.
struct DetectionCandidate {
    std::string tensor;
    Shape shape = {};
};

// Finds the scores and classes of so many boxes among the candidates: by their names, in
// TensorFlow's and TFLite's ways to write them, where the shape does not say otherwise, and else
// by the shape alone. What is called classes and has a number for every class is scores.
DetectionNames detectionNames(const std::string& boxes, std::int64_t count,
                              const std::vector<DetectionCandidate>& candidates);

// Returns the tensors that may be scores or classes of these boxes: further outputs of their node,
// and the chosen outputs of the model.
std::vector<DetectionCandidate> detectionCandidates(const Document& document,
                                                    const std::string& boxes);
// Returns what is known beside the boxes; values that are not kept are computed, and the session's
// changed() tells when they are there.
DetectionContext detectionContext(Document& document, const std::string& boxes, const Shape& shape,
                                  const DetectionChoice& choice);
// Tells whether an output of the model is boxes by what is beside it: numbers by fours for each of
// several places, and another output with as many scores; or packed boxes, as many as a grid over
// the picture that is fed has.
bool areBoxesByShape(const Document& document, const std::string& tensor, const Shape& shape);

} // namespace lapidary
