// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

namespace lapidary::testing {

// A training graph of about `nodes` nodes with TensorFlow's usual names: stages of residual units,
// each op in a scope with its weights, gradients mirrored under "gradients/", one update a weight.
GraphPtr scopedGraph(int nodes);

} // namespace lapidary::testing
