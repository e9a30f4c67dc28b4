// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns the names of the functions to open in a file of TensorFlow 2, which often stores a model
// as a call of a function that calls another one: the outermost first, up to one that does some
// work itself; none if the graph itself does. The served signature determines the call.
std::vector<std::string> servedFunctions(const GraphEntry& entry);

} // namespace lapidary
