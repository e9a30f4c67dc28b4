// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"

namespace lapidary {

struct WindowParts;

// Asks where the graph that is shown is to be written: the file's as a whole, of a state the
// GraphDef, as the command line writes it. Says beforehand which variables the file will not hold.
void askToSaveGraph(const WindowParts& window);
// Asks where the values of a constant or variable are to be written, for NumPy.
void askToSaveTensor(const WindowParts& window, NodeId node);

} // namespace lapidary
