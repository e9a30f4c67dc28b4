// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>
#include <vector>

namespace lapidary {

// A file of TensorFlow 2 often holds a model as a call of a function, which calls another one.
// Returns the names of the functions to open, the outermost first, until one does some work of its
// own; none where the graph itself does. The signature that is served decides which call it is.
std::vector<std::string> servedFunctions(const GraphEntry& entry);

} // namespace lapidary
