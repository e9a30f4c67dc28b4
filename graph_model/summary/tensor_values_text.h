// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor.h"

#include <string>

namespace lapidary {

// Returns the first three elements as summarize_graph prints them: "0.5 -0.5", "[0 1][2...]...".
// Dtypes that it cannot print give "?" for each element.
std::string tensorValuesText(const Tensor& tensor);

} // namespace lapidary
