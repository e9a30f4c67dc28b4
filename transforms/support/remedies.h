// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/recipe.h"
#include "transforms/support/support_check.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// A change that lets more nodes run on the target, tried on a copy.
struct Remedy {
    enum class Kind {
        Pass,   // a step of a recipe
        Freeze, // variables become constants; needs the checkpoint, so it was not tried
        Build,  // another build of TensorFlow
        Source, // a source file that the build lacks
    };
    Kind kind = Kind::Pass;
    std::string text;                 // "run_in_type(op=Less, ...)", "add scan_ops.cc to the build"
    RecipeStep step;                  // of a pass
    std::vector<std::string> inputs;  // of the graph, for the step
    std::vector<std::string> ops;     // of the findings that it is for
    std::size_t before = 0;           // nodes that do not run on the target
    std::optional<std::size_t> after; // absent: not tried
};

struct RemedyPlan {
    std::vector<Remedy> remedies; // passes in the order in which they were tried, each after those
                                  // before it; then changes of the build
    GraphPtr graph;               // after all passes
    std::vector<std::string> inputs; // of that graph
    std::size_t left = 0;            // nodes that still do not run on the target
};

// Tries remedies for the nodes that do not run on the target, the cheapest first.
Result<RemedyPlan> planRemedies(const GraphPtr& graph, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs, const OpSupport& table,
                                const Target& target, const Job& job);

// Returns the tensors to feed instead of reading and decoding files: those that such nodes pass to
// the network. `inputs` that are still needed are among them.
std::vector<std::string> inputsBehindPipeline(const Graph& graph,
                                              const std::vector<std::string>& inputs,
                                              const std::vector<std::string>& outputs);

} // namespace lapidary
