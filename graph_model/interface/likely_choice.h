#pragma once

#include "graph_model/interface/interface.h"
#include "graph_model/interface/interface_flags.h"

namespace lapidary {

// The choice to start with: every candidate that is more likely than not, at least the best one.
// Of the outputs only those whose node nobody reads and those that are all but certain (named by a
// signature): a side output of a layer in the middle is a good guess when asked for, not in a
// picture.
InterfaceChoice likelyChoice(const Graph& graph, const InterfaceGuess& guess);

} // namespace lapidary
