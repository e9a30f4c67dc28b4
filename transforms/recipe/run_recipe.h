// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"
#include "transforms/recipe/recipe.h"

#include <string>
#include <vector>

namespace lapidary {

// One step that was run, and its version of the graph.
struct RecipeState {
    const Pass* pass = nullptr;
    EditResult edit;          // lineage from the state before
    std::string ignoredError; // of a pass that failed with ignore_errors; else empty
    double seconds = 0;
};

struct RecipeRun {
    std::vector<RecipeState> states;
    // The error of the step that failed; else empty. The states before it are complete.
    std::string fault;
    ErrorCode faultCode = ErrorCode::Internal;
    ErrorReason faultReason = ErrorReason::None;

    bool ok() const { return fault.empty(); }
    const GraphPtr& result(const GraphPtr& base) const
    {
        return states.empty() ? base : states.back().edit.graph;
    }
};

enum class StepCheck {
    Names,  // inputs name existing nodes, as the original demands
    Wiring, // also ports, types and cycles (step_check.h), and that a node is left
};

enum class KeptGraphs {
    All,
    // The graphs of other states are null, and memory of weights that were read is freed, because
    // it may be as large as everything else. If a step fails, the weights of the last graph are not
    // usable.
    Last,
};

struct RecipeRunOptions {
    StepCheck check = StepCheck::Wiring;
    KeptGraphs kept = KeptGraphs::All;
};

// Runs the steps one after the other (spec: transforms, section 4.3) and checks after each that the
// graph is sound: a step that breaks it is a fault, and the states before it stay. The function
// library and the versions are kept. Inputs and outputs that a step renames are followed.
RecipeRun runRecipe(const GraphPtr& graph, const Recipe& recipe,
                    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                    const Job& job, const RecipeRunOptions& options = {});

} // namespace lapidary
