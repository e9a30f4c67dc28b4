// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <map>
#include <string>

namespace lapidary {

// The names that a .tflite or .onnx file has for its inputs and outputs, by tensor ("node:0"),
// where the nodes have other names.
using EndNames = std::map<std::string, std::string>;

EndNames endNamesInFile(const GraphEntry& entry);

} // namespace lapidary
