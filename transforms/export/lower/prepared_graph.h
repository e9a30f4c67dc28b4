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

// The form in which loops are exported.
enum class LoopForm : std::uint8_t {
    Auto,      // Unrolled if the number of steps is bounded, else Operators
    Unrolled,  // one copy of the body for each step
    Operators, // operators that run a body
};

// The part of a graph to export.
struct ExportInterface {
    std::vector<std::string> inputs; // tensors "x:0" or "x"; any tensor, not only placeholders
    std::vector<std::string> outputs;
    std::vector<std::pair<std::string, Shape>> shapes; // of inputs, instead of the graph's
    // Placeholders and other tensors that are replaced by a constant: "is_training", "false".
    std::vector<std::pair<std::string, std::string>> fixed;
    LoopForm loops = LoopForm::Auto;
    // Conditions that call functions are kept; else both sides are computed, and one is selected.
    bool keepsBranches = false;
    bool keepsHalfEnds = false;           // of inputs and outputs; else they become float
    bool computesCodes = false;           // the layers of the file will compute in 8 bits
    std::set<std::string> keptLoops = {}; // names of LoopConds whose loops Auto leaves as they are
};

// The part of a graph that computes the outputs from the inputs, without control edges. Constant
// parts are computed, and the shapes of the others are inferred.
struct PreparedGraph {
    struct End {
        Endpoint tensor;
        std::string name;    // in the exported file
        bool isHalf = false; // in the file; computed in float
    };
    GraphPtr graph;
    InferredShapes shapes;
    std::vector<End> inputs;
    std::vector<End> outputs;
    std::vector<std::string> notes; // assumptions, a sentence each
    OutlinedLoops loops;            // of the While nodes that are left
    bool computesCodes = false;     // as in the interface
};

// Errors name the input or output that does not exist, the input of unknown size (reason
// MissingSize), the placeholder that is needed and not among the inputs, or the contradiction in
// the graph.
Result<PreparedGraph> prepareExport(const GraphPtr& graph, const ExportInterface& interface,
                                    const Job& job);
// Prepares the body of a loop, whose own loops are in `loops`.
Result<PreparedGraph> prepareLoopPart(const GraphPtr& graph, const ExportInterface& interface,
                                      const OutlinedLoops& loops, const Job& job);

} // namespace lapidary
