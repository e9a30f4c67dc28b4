// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/exec_graph.h"

#include <any>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lapidary {

class Executor;
struct Program;

// The state that the nodes of one graph keep from run to run, by NodeId; shared by all programs of
// the graph.
struct GraphMemory {
    std::vector<std::any> nodes;
};

// A compiled request of the main graph, or the compiled body of a function.
struct Program {
    Program();
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    ExecGraph graph;
    std::string function; // empty: the main graph
    std::vector<DType> argumentTypes;
    std::vector<DType> resultTypes;
    bool emptyIfDead = false; // a dead result is an empty tensor of floats, not an error
    std::shared_ptr<GraphMemory> memory;
    std::vector<Value> constants; // of ExecGraph::constants; empty until the first run
    std::vector<std::unique_ptr<Executor>> idle;
    // Outputs of settled nodes by ExecNode index, from their first run on; up to an eighth of the
    // memory that may be used.
    std::map<std::uint32_t, std::vector<Value>> settled;
    std::size_t settledBytes = 0;
};

} // namespace lapidary
