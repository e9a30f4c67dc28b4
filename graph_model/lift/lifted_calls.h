// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"
#include "graph_model/lift/lifted_functions.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

std::vector<DType> typesOf(const std::vector<FunctionArgument>& ends);
// Returns the function that an attribute names, lifted for these arguments.
LiftedFunctions::Called calledBody(LiftDraft& draft, std::string_view attribute,
                                   const std::vector<TensorState>& given);
// Returns the facts about a loop variable that hold in all iterations: its dtype, and its rank if
// known.
TensorState inEveryTurn(const TensorState& state);
// Returns the known facts about each input of the operator from that slot on.
std::vector<TensorState> statesFrom(const LiftDraft& draft, std::size_t first);
// Returns the inputs as in the file.
std::vector<std::string> inputsFrom(LiftDraft& draft, std::size_t first);
std::vector<std::string> portsFrom(const std::string& made, std::size_t first, std::size_t count);
std::pair<std::string, AttrBytes> calls(std::string name, const FunctionPtr& function);

// Loop and Scan of ONNX.
bool liftOnnxLoop(LiftDraft& draft);

} // namespace lapidary
