// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/attr_value.h"

#include <cstdint>

namespace lapidary {

// Attributes of a TFLite_Detection_PostProcess that finds three objects of two classes, in the form
// that a test needs. Each box may have `classesOf` classes.
template <class Attrs>
Attrs detectorAttrs(std::int64_t classesOf)
{
    return {{"max_detections", attr::fromInt(3)},
            {"max_classes_per_detection", attr::fromInt(classesOf)},
            {"num_classes", attr::fromInt(2)},
            {"nms_score_threshold", attr::fromFloat(0.1F)},
            {"nms_iou_threshold", attr::fromFloat(0.5F)},
            {"y_scale", attr::fromFloat(10)},
            {"x_scale", attr::fromFloat(10)},
            {"h_scale", attr::fromFloat(5)},
            {"w_scale", attr::fromFloat(5)}};
}

} // namespace lapidary
