// SPDX-License-Identifier: Apache-2.0
// fuse_remote_graph
//
// Needs an executor for a remote processor that this program does not have; the name is kept so
// that recipes that use it get a clear answer.
#include "transforms/pass/remote_processor.h"
#include "transforms/passes/passes.h"

namespace lapidary {

const Pass passes::fuseRemoteGraph{
    .name = "fuse_remote_graph",
    .summary = "Moves a subgraph to a remote processor; not available.",
    .before = "a part of the graph",
    .after = "one RemoteFusedGraphExecute",
    .differences = needsRemoteProcessorNote,
    .run = needsRemoteProcessor,
};

} // namespace lapidary
