// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"

#include <string_view>

namespace lapidary {

// Returns the family of an operator of TFLite ("MAX_POOL_2D") or ONNX ("Gemm"); Unknown if it is of
// neither.
OpFamily deviceFamily(std::string_view op);

} // namespace lapidary
