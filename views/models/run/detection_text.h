// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/detections.h"

#include <QString>

namespace lapidary {

// "yxyx", "xyxy", "cxcywh".
QString orderName(BoxOrder order);

// Returns how many of the boxes are shown, and why others are left out: "6 of 17 640 boxes; left
// out: 17 193 with a lower score, 441 that overlap a better one".
QString foundText(const Detections& found);
// How their numbers were taken: "Numbers are xyxy, class 0 is background".
QString takenText(const Detections& found);

} // namespace lapidary
