// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"

#include <set>
#include <string>
#include <vector>

namespace lapidary {

// The variables that running these outputs changes, by their names: states that a model keeps from
// run to run, as a layer of Keras does that is `stateful`. Functions are looked into.
std::set<std::string, std::less<>>
changedVariables(const GraphPtr& graph, const std::vector<std::string>& outputs, const Job& job);

struct ExposedStates {
    struct State {
        std::string input;  // the variable's name; empty: only what it becomes is needed
        std::string output; // what it becomes
    };
    GraphPtr graph;
    std::vector<State> states;
};

// Makes an input of each variable that is left in a graph without functions, and an output of what
// is assigned to it, since files of devices keep nothing from run to run: who runs them hands the
// output of one run to the next one. An error names the node where a variable is changed otherwise,
// or more than once.
Result<ExposedStates> exposeStates(const GraphPtr& graph);

} // namespace lapidary
