// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "runner/feeds/feed.h"

#include <string>
#include <vector>

namespace lapidary {

struct ModelInterface {
    std::vector<FeedTarget> inputs;
    std::vector<std::string> outputs; // "y:0"
    // Inputs of the signature that lead to none of its outputs. `inputs` are the likely ones then.
    std::vector<std::string> vainInputs = {};
};

// Returns the inputs and outputs of a model for a user who named none: those of the signature
// `signature`, or, if that is empty, of the default or only signature. If the graph has no
// signatures, or the outputs depend on none of the signature's inputs, returns the likely ones. A
// name that the file does not have is an error that lists the existing names.
Result<ModelInterface> modelInterface(const GraphEntry& entry, const std::string& signature);

// Returns "x:0" for "x"; control inputs stay as they are.
std::string withPort(const std::string& tensor);

} // namespace lapidary
