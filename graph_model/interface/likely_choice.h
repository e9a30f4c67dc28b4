// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface.h"
#include "graph_model/interface/interface_flags.h"

namespace lapidary {

// Returns the choice to start with: every candidate that is more likely than not, and at least the
// best one. An output is only taken if its node has no readers or if it is all but certain (named
// by a signature): a side output of a layer in the middle is a good suggestion in a list, but not
// in a picture.
InterfaceChoice likelyChoice(const Graph& graph, const InterfaceGuess& guess);

} // namespace lapidary
