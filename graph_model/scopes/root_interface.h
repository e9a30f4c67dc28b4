// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <string>
#include <vector>

namespace lapidary {

// Inputs or outputs whose names differ only in one number, such as "Worker_0/v" to "Worker_31/v".
struct InterfaceSeries {
    std::string name; // "Worker 0…31/v"
    std::string path;
    std::string reason;
    std::vector<NodeId> members; // sorted by number
};

// The inputs and outputs of the model that are at the root of the picture.
struct RootInterface {
    std::vector<NodeId> raised; // sorted; the members of series included
    std::vector<InterfaceSeries> series;
};

// Returns the inputs and outputs that can leave their scopes without a path out of the scope and
// back into it, if they are few enough to be seen at once: a series counts once, and many more are
// better seen in their scopes.
RootInterface rootInterface(const Graph& graph, const ScopeOptions& options);

} // namespace lapidary
