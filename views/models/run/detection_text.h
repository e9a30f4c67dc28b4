// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/detections.h"

#include <QString>

namespace lapidary {

// "yxyx", "xyxy", "cxcywh".
QString orderName(BoxOrder order);

// Returns the number of boxes that are shown, and the reasons why others are not: "6 of 17 640
// boxes; left out: 17 193 with a lower score, 441 that overlap a better one".
QString foundText(const Detections& found);
// Returns how the numbers were interpreted: "Numbers are xyxy, class 0 is background".
QString takenText(const Detections& found);

} // namespace lapidary
