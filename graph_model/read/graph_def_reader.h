// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/job.h"
#include "graph_model/check/problem.h"
#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

struct GraphReadResult {
    GraphPtr graph;         // the undamaged part; null only if cancelled
    Problems problems;      // of the encoding, with byte offsets into the buffer
    bool isDamaged = false; // part of the message could not be read
};

// Reads a GraphDef message inside `owner`'s bytes, without copying. `depth` is the number of
// enclosing messages; `endsFile`: the message is at the end of the file, so that a missing end was
// cut off. After damage, reading continues at the next whole node.
Result<GraphReadResult> readGraphDef(std::string_view message, const BufferPtr& owner, int depth,
                                     bool endsFile, const Job& job);

} // namespace lapidary
