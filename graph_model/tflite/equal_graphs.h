// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tflite/tflite_model.h"

namespace lapidary {

// Returns whether two graphs of a file differ in names only, so that one can stand for both. Graphs
// that keep tensors from run to run, and those with custom operators, never do.
bool isEqualButForNames(const TfliteGraph& a, const TfliteGraph& b);

} // namespace lapidary
