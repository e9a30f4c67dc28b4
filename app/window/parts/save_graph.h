// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"

namespace lapidary {

struct WindowParts;

// Asks where to write the shown graph: the whole model for the file's graph, a GraphDef for a
// state, as the command line does. Warns if the written file will not contain the values of
// variables.
void askToSaveGraph(const WindowParts& window);
// Asks where to write the values of a constant or variable, in NumPy's format.
void askToSaveTensor(const WindowParts& window, NodeId node);

} // namespace lapidary
