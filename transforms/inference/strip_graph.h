// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"
#include "transforms/pass/pass.h"

#include <string>
#include <vector>

namespace lapidary {

// The request that strip_unused of TensorFlow's Python tools takes.
struct StripRequest {
    std::vector<std::string> inputs;  // nodes
    std::vector<std::string> outputs; // nodes
    // The types of the inputs: one for all, one for each, or none, so that each keeps its own.
    std::vector<DType> types;
    bool keepsInputs = false; // also those that no output needs
};

// Makes each input a Placeholder, which keeps its shape if it has one, and keeps what the outputs
// need: data, control inputs and the nodes with which others are colocated. Errors: a node that
// does not exist; an input of unknown type.
Result<EditResult> stripGraph(const GraphPtr& graph, const StripRequest& request, const Job& job);

// Returns the request of a step: its interface, and the repeated parameter `type`.
Result<StripRequest> stripRequestOf(const PassArgs& args);
// The parameter of passes that take such types.
inline constexpr ParameterSpec stripTypeParameter{
    .name = "type",
    .type = ParameterType::Dtype,
    .defaultText = {},
    .help = "the dtype of the inputs, one for all or one for each; default: their own",
    .isRepeated = true};

} // namespace lapidary
