// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// The lists of tensors in the loops of TensorFlow 2 (TensorListReserve, ...) become TensorArrays.
// A list that is used in another way than these are stays one; the same graph where all do.
Result<GraphPtr> listsAsArrays(const GraphPtr& graph);

} // namespace lapidary
