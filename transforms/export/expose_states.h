// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"

#include <set>
#include <string>
#include <vector>

namespace lapidary {

// Returns the names of the variables that a run of these outputs changes, also in functions: states
// that a model keeps from run to run, as a `stateful` layer of Keras does.
std::set<std::string, std::less<>>
changedVariables(const GraphPtr& graph, const std::vector<std::string>& outputs, const Job& job);

struct ExposedStates {
    struct State {
        std::string input;  // the variable's name; empty: only its new value is needed
        std::string output; // the variable's new value
    };
    GraphPtr graph;
    std::vector<State> states;
};

// Makes an input of each variable that is left in a graph without functions, and an output of what
// is assigned to it, since files for devices keep nothing from run to run: their caller passes the
// output of one run to the next one. Error: a variable that is changed otherwise, or more than
// once; the message names the node.
Result<ExposedStates> exposeStates(const GraphPtr& graph);

} // namespace lapidary
