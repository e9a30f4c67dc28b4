// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"
#include "transforms/recipe/recipe.h"

#include <string>
#include <vector>

namespace lapidary {

// One step that was run: a version of the graph of its own.
struct RecipeState {
    const Pass* pass = nullptr;
    EditResult edit;          // lineage from the state before
    std::string ignoredError; // the pass failed and ignore_errors let it go on
    double seconds = 0;
};

struct RecipeRun {
    std::vector<RecipeState> states;
    // Set where a step failed; the states before it are whole.
    std::string fault;
    ErrorCode faultCode = ErrorCode::Internal;

    bool ok() const { return fault.empty(); }
    const GraphPtr& result(const GraphPtr& base) const
    {
        return states.empty() ? base : states.back().edit.graph;
    }
};

enum class StepCheck {
    Names,  // inputs lead to nodes, as the original demands
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
// graph is sound: a step that breaks it is a fault, and the states before it stay. Function library
// and versions stay what they were. Inputs and outputs that a step renames are followed.
RecipeRun runRecipe(const GraphPtr& graph, const Recipe& recipe,
                    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                    const Job& job, const RecipeRunOptions& options = {});

} // namespace lapidary
