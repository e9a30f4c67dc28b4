// SPDX-License-Identifier: Apache-2.0
#pragma once

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
// Finds them by their names among the candidates, in TensorFlow's and TFLite's ways to write them.
DetectionNames detectionNames(const std::string& boxes, const std::vector<std::string>& candidates);

// Returns the tensors that may be scores or classes of these boxes: further outputs of their node,
// and the chosen outputs of the model.
std::vector<std::string> detectionCandidates(const Document& document, const std::string& boxes);
// Returns what is known beside the boxes; values that are not kept are computed, and the session's
// changed() tells when they are there.
DetectionContext detectionContext(Document& document, const std::string& boxes,
                                  const DetectionChoice& choice);

} // namespace lapidary
