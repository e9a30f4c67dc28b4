// SPDX-License-Identifier: Apache-2.0
// place_remote_graph_arguments
//
// Needs an executor for a remote processor that this program does not have; the name is kept so
// that recipes that use it get a clear answer.
#include "transforms/pass/remote_processor.h"
#include "transforms/passes/passes.h"

namespace lapidary {

const Pass passes::placeRemoteGraphArguments{
    .name = "place_remote_graph_arguments",
    .summary = "Marks the nodes of a subgraph for a remote processor; not available.",
    .before = "a part of the graph",
    .after = "the same, marked",
    .differences = needsRemoteProcessorNote,
    .run = needsRemoteProcessor,
};

} // namespace lapidary
