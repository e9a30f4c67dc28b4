// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "graph_model/graph/node.h"
#include "graph_model/read/model_file.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The node for an argument of a function that nothing calls.
struct FunctionInput {
    std::string name;
    NodePtr bound;   // a constant or variable of the graph; null if there is none
    NodeDraft draft; // otherwise: a placeholder, or a variable
    bool isFed = false;
    Shape shape;                       // of a placeholder
    std::optional<std::size_t> object; // its number in BoundInputs::values
};

// Returns one for each argument. Objects that the function was traced with stand for its last
// arguments.
std::vector<FunctionInput> functionInputs(const GraphEntry& entry, const Function& function);

} // namespace lapidary
