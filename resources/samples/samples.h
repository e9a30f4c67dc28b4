// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

namespace lapidary::samples {

// A small residual network: scoped blocks with batch norms, a loop that refines the features, and a
// classifier. Input "images", output "head/predictions".
GraphPtr residualNetwork();
// A transformer encoder over 16 tokens: embedding, three layers, pooler, classifier.
GraphPtr transformerEncoder();
// Two 8-bit convolution blocks as quantize_nodes leaves them.
GraphPtr quantizedChain();
// A deep network without scopes whose names say nothing.
GraphPtr flatChain();
// A graph with one of each common fault, for the problem list.
GraphPtr brokenGraph();

} // namespace lapidary::samples
