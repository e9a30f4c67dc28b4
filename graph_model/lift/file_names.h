// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>

namespace lapidary {

// "node:1" for a tensor by the name that a .tflite or .onnx file has for it, with or without ":0"
// behind. What the file names as its own inputs and outputs comes first, then nodes, then all other
// tensors; a name that leads nowhere is returned as it is. O(nodes).
std::string tensorByFileName(const GraphEntry& entry, const std::string& name);

} // namespace lapidary
