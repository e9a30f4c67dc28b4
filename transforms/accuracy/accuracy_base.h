// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "transforms/recipe/presets.h"

#include <string>
#include <vector>

namespace lapidary {

// A graph whose layers can be told apart, and how it was made: nothing unused, no copies, constants
// and normalizations folded. It computes the same.
struct AccuracyBase {
    FittedPreset fitted;
    GraphPtr graph;
};

// Makes the base of a graph. If inputs or outputs are not given, the likely ones are used. Errors:
// those of fitPreset() and of the recipe, and a graph without layers.
Result<AccuracyBase> accuracyBase(const GraphEntry& entry, std::vector<std::string> inputs,
                                  std::vector<std::string> outputs, const Job& job);

// Runs further steps of a recipe on the graph that earlier steps left.
Result<GraphPtr> afterSteps(const GraphPtr& graph, std::string_view steps,
                            const FittedPreset& fitted, const Job& job);

} // namespace lapidary
