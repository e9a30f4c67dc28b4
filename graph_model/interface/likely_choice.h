// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface.h"
#include "graph_model/interface/interface_flags.h"

#include <set>
#include <string>
#include <vector>

namespace lapidary {

// Returns the choice to start with: the tensors of the signature that is served, and else every
// input that is more likely than not, and the outputs that are about as likely as the best one. An
// output is only taken if the network ends there: a side output of a layer in the middle is a good
// suggestion in a list, but not in a picture.
InterfaceChoice likelyChoice(const Graph& graph, const InterfaceGuess& guess);

// Returns whether none of `outputs` depends on any of `inputs`, which are not empty: a
// signature may name copies of what a network reads that have no readers themselves. O(nodes +
// edges).
bool areNamedInVain(const Graph& graph, const std::vector<NodeId>& inputs,
                    const std::vector<NodeId>& outputs);

// Returns the tensors to feed instead of inputs that are named in vain: the likely inputs that
// `outputs` depend on, and every other placeholder that they cannot be computed without. Empty if
// none is likely.
std::vector<ChosenTensor> inputsInPlace(const Graph& graph, const InterfaceGuess& guess,
                                        const std::vector<NodeId>& outputs);

// Returns the tensors of the served signature, if `choice` has others instead.
std::vector<std::string> vainInputs(const InterfaceGuess& guess, const InterfaceChoice& choice);
// Returns a sentence for `vain` inputs and those that are fed instead; empty without any.
std::string vainInputsText(const std::vector<std::string>& vain,
                           const std::vector<std::string>& fed);

// A signature for evaluation names as inputs what is computed from others, too: to be replaced, not
// to be fed. Returns the inputs that depend on another one. O(nodes + edges).
std::set<NodeId> derivedInputs(const Graph& graph, const std::vector<NodeId>& inputs);

} // namespace lapidary
