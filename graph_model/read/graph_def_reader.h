// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/job.h"
#include "graph_model/check/problem.h"
#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

struct GraphReadResult {
    GraphPtr graph;         // what is whole of it; null only where cancelled
    Problems problems;      // of the encoding, with byte offsets into the buffer
    bool isDamaged = false; // some of the message could not be read
};

// Reads a GraphDef message inside `owner`'s bytes, without copying. `depth` is the number of
// enclosing messages; `endsFile`: a missing end was cut off the file. If the message is damaged,
// reading goes on at the next whole node.
Result<GraphReadResult> readGraphDef(std::string_view message, const BufferPtr& owner, int depth,
                                     bool endsFile, const Job& job);

} // namespace lapidary
