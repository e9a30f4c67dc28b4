// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "transforms/export/loops/outline_loop.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// Selects what becomes of loops.
enum class LoopForm : std::uint8_t {
    Auto,      // as Unrolled where their number of steps is bounded, else as Operators
    Unrolled,  // one copy of the body for each step
    Operators, // operators that run a body
};

// Describes what is exported of a graph.
struct ExportInterface {
    std::vector<std::string> inputs; // tensors "x:0" or "x"; any tensor, not only placeholders
    std::vector<std::string> outputs;
    std::vector<std::pair<std::string, Shape>> shapes; // of inputs, instead of the graph's
    // Placeholders and other tensors that get one number for good: "is_training", "false".
    std::vector<std::pair<std::string, std::string>> fixed;
    LoopForm loops = LoopForm::Auto;
    // Calls of functions by a condition stay; else both sides are computed, and one is selected.
    bool keepsBranches = false;
    bool keepsHalfEnds = false;           // inputs and outputs of half stay so; else all is float
    std::set<std::string> keptLoops = {}; // names of LoopConds whose loops Auto leaves as they are
};

// A graph of which nothing is left but what computes the outputs from the inputs: without control
// edges, with what is constant computed, and with the shapes of what is not.
struct PreparedGraph {
    struct End {
        Endpoint tensor;
        std::string name;    // in the exported file
        bool isHalf = false; // in the file; what computes has floats
    };
    GraphPtr graph;
    InferredShapes shapes;
    std::vector<End> inputs;
    std::vector<End> outputs;
    std::vector<std::string> notes; // what was assumed, a sentence each
    OutlinedLoops loops;            // of the nodes While that are left
};

// Errors name the input or output that does not exist, the input whose size nothing says (reason
// MissingSize), the placeholder that is needed and not among the inputs, or what the graph
// contradicts itself in.
Result<PreparedGraph> prepareExport(const GraphPtr& graph, const ExportInterface& interface,
                                    const Job& job);
// The same for what a loop runs, whose own loops are known.
Result<PreparedGraph> prepareLoopPart(const GraphPtr& graph, const ExportInterface& interface,
                                      const OutlinedLoops& loops, const Job& job);

} // namespace lapidary
