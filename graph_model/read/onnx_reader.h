// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

namespace lapidary {

// Fills in the graph of a .onnx file from its buffer: operators with their own names and
// attributes, bodies of If, Loop and Scan as functions that get what they take from the graph
// around them as further arguments. Weights in other files are read from the model's folder and
// nowhere else. A damaged file gets a problem and no graph.
Status readOnnxFile(ModelFile& file, const Job& job);

} // namespace lapidary
