// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"

#include <limits>

namespace lapidary {

// Makes a node of this program's own, because TensorFlow's ops also drop boxes whose overlap equals
// the threshold, and order equal scores differently.
bool liftOnnxBoxes(LiftDraft& d)
{
    if (d.node().op() != "NonMaxSuppression" || d.type(0) != DType::Float)
        return false;
    const auto number = [&](std::size_t slot, float standard) {
        return d.has(slot) ? d.in(slot) : d.oneFloat(standard);
    };
    std::vector<std::string> inputs{d.in(0), d.in(1), d.has(2) ? d.in(2) : d.oneInt64(0)};
    inputs.push_back(number(3, 0));
    inputs.push_back(number(4, std::numeric_limits<float>::lowest()));
    d.give({d.step("_Onnx_NonMaxSuppression", std::move(inputs),
                   {{"center_point_box", attr::fromBool(d.intAttr("center_point_box", 0) != 0)}})});
    TensorState made;
    made.dtype = DType::Int64;
    made.shape = {{-1, 3}, false};
    d.describe(0, made);
    return true;
}

} // namespace lapidary
