// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface.h"
#include "graph_model/interface/interface_flags.h"

#include <set>
#include <string>
#include <vector>

namespace lapidary {

// Returns the initial choice: the tensors of the served signature, or else every input that is more
// likely than not, and the outputs that are about as likely as the best one. An output is only
// taken if the network ends there: a side output of a layer in the middle is a good suggestion in a
// list, but not in a picture.
InterfaceChoice likelyChoice(const Graph& graph, const InterfaceGuess& guess);

// Returns whether none of `outputs` depends on any of `inputs`, which must not be empty: a
// signature may name unread copies of the tensors that the network reads. O(nodes + edges).
bool areNamedInVain(const Graph& graph, const std::vector<NodeId>& inputs,
                    const std::vector<NodeId>& outputs);

// Returns the tensors to feed instead of such useless inputs: the likely inputs that `outputs`
// depend on, and every other placeholder that they need. Empty if none is likely.
std::vector<ChosenTensor> inputsInPlace(const Graph& graph, const InterfaceGuess& guess,
                                        const std::vector<NodeId>& outputs);

// Returns the inputs of the served signature if `choice` contains none of them; otherwise nothing.
std::vector<std::string> vainInputs(const InterfaceGuess& guess, const InterfaceChoice& choice);
// Returns a sentence about the `vain` inputs and those that are fed instead; empty if there are
// none.
std::string vainInputsText(const std::vector<std::string>& vain,
                           const std::vector<std::string>& fed);

// Returns the inputs that depend on other inputs. A signature for evaluation also names computed
// tensors as inputs, which can be replaced but need no feed. O(nodes + edges).
std::set<NodeId> derivedInputs(const Graph& graph, const std::vector<NodeId>& inputs);

} // namespace lapidary
