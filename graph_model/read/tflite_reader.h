// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

namespace lapidary {

// Fills in the graphs of a .tflite file from its buffer: operators by their names in the schema,
// options as attributes, further subgraphs as functions. A damaged file gets a problem and no
// graph.
Status readTfliteFile(ModelFile& file, const Job& job);

} // namespace lapidary
