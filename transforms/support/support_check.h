// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "graph_model/targets/op_support.h"

#include <string>
#include <vector>

namespace lapidary {

// Nodes of one op and one choice of types that do not run on the target, or may not.
struct SupportFinding {
    std::string op;
    std::string types; // "T=int64"; empty: they do not matter
    SupportFault fault = SupportFault::NoKernel;
    std::string why;
    std::vector<NodeId> nodes;              // of the graph
    std::vector<std::string> functionNodes; // "body: add", of functions that it calls
    std::size_t needed = 0;                 // how many of them the outputs need

    std::size_t count() const { return nodes.size() + functionNodes.size(); }
};

// A graph, as it is or between its inputs and outputs.
struct SupportCount {
    std::size_t nodes = 0;   // number of nodes that are counted
    std::size_t missing = 0; // number of these that do not run on the target
};

struct SupportReport {
    SupportCount whole;
    SupportCount needed;                  // what the outputs need, with the inputs as placeholders
    std::vector<SupportFinding> findings; // those that are missing first

    // Returns the number of ops that keep the graph from running on the target. A converter drops
    // nodes that the outputs do not need.
    std::size_t blocking(const Target& target) const
    {
        return target.kind == Target::Kind::Converter ? needed.missing : whole.missing;
    }
};

// Looks up every node, and those of the functions that they call, in the table. Inputs and
// outputs are nodes or tensors; without outputs everything is needed. Error: a name that does not
// exist.
Result<SupportReport> checkSupport(const Graph& graph, const std::vector<std::string>& inputs,
                                   const std::vector<std::string>& outputs, const OpSupport& table,
                                   const Target& target, const Job& job);

} // namespace lapidary
