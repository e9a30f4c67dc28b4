// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <string>

namespace lapidary {

// Write nodes and values as TensorFlow does: "{{node y}} = Relu[T=DT_FLOAT](x, ^init)", "[0, 1,
// 2]", "DT_FLOAT", "Tensor<type: float shape: [2] values: 1 2>".
std::string nodeSummary(const Node& node);
std::string valueSummary(const AttrValue& value, const BufferPtr& owner);

} // namespace lapidary
