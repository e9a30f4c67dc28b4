// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/container_marks.h"
#include "graph_model/read/formats/formats.h"

namespace lapidary {

const FileFormatRow formats::checkpointV1{
    .format = FileFormat::CheckpointV1,
    .name = "checkpoint.v1",
    .title = "checkpoint (version 1)",
    .hasMarks = isCheckpointV1,
    .remedy = weightsWithoutGraph,
};

} // namespace lapidary
