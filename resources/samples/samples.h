// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

namespace lapidary::samples {

// A small residual network: scoped blocks with batch norms, a loop that refines the features, and a
// classifier. Input "images", output "head/predictions".
GraphPtr residualNetwork();
// A transformer encoder over 16 tokens: embedding, three layers, pooler, classifier.
GraphPtr transformerEncoder();
// Two 8-bit convolution blocks, as quantize_nodes makes them.
GraphPtr quantizedChain();
// A deep network without scopes, with meaningless names.
GraphPtr flatChain();
// A graph with one fault of each common kind, for the problem list.
GraphPtr brokenGraph();

} // namespace lapidary::samples
