// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface.h"
#include "graph_model/interface/interface_flags.h"

#include <set>
#include <vector>

namespace lapidary {

// Returns the choice to start with: the tensors of the signature that is served, and else every
// input that is more likely than not, and the outputs that are about as likely as the best one. An
// output is only taken if the network ends there: a side output of a layer in the middle is a good
// suggestion in a list, but not in a picture.
InterfaceChoice likelyChoice(const Graph& graph, const InterfaceGuess& guess);

// A signature for evaluation names as inputs what is computed from others, too: to be replaced, not
// to be fed. Returns the inputs that depend on another one. O(nodes + edges).
std::set<NodeId> derivedInputs(const Graph& graph, const std::vector<NodeId>& inputs);

} // namespace lapidary
