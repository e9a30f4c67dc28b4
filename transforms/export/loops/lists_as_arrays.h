// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// Turns the lists of tensors in the loops of TensorFlow 2 (TensorListReserve, ...) into
// TensorArrays. A list that is used in other ways is kept; returns the same graph if all are.
Result<GraphPtr> listsAsArrays(const GraphPtr& graph);

} // namespace lapidary
