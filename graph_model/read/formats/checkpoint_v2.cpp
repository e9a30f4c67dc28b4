// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/container_marks.h"
#include "graph_model/read/formats/formats.h"

namespace lapidary {

const FileFormatRow formats::checkpointV2{
    .format = FileFormat::CheckpointV2,
    .name = "checkpoint.v2",
    .title = "checkpoint (version 2)",
    .hasMarks = isCheckpointV2,
    .remedy = weightsWithoutGraph,
};

} // namespace lapidary
