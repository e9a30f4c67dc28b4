// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

namespace lapidary {

// Returns a graph that computes in float what was computed in half, with the same constants: the
// runtimes of devices have no kernels for halves. The same pointer if nothing is half, or if the
// bits of a half are read.
GraphPtr halvesAsFloats(const GraphPtr& graph);

} // namespace lapidary
