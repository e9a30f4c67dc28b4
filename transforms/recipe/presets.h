// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface.h"
#include "runner/feeds/seeded_value.h"
#include "transforms/recipe/recipe.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A recipe that comes with the program, except for the parts that depend on the model.
struct Preset {
    std::string_view name;    // "arm-8bit"
    std::string_view title;   // "Arm's 8-bit recipe"
    std::string_view summary; // one sentence
    std::string_view recipe;  // its first strip_unused_nodes gets the types of the inputs
};

std::span<const Preset> allPresets();
// Null if there is no such preset.
const Preset* findPreset(std::string_view name);
std::vector<std::string> presetNames();
// needsSamples() returns whether a preset measures tensors on samples; giveSamples() adds to its
// steps the folder to feed, and the range to which pictures are scaled.
bool needsSamples(const Preset& preset);
void giveSamples(Recipe& recipe, const std::string& samples, std::optional<SeededRange> range);

// A preset fitted to one model.
struct FittedPreset {
    Recipe recipe;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
};

// Fits a preset to a model. If inputs or outputs are not given, the likely ones are used; inputs
// that are not placeholders get the type and shape that the graph says they have. If several
// outputs of one node are inputs, only the first is kept, because a placeholder has one output.
// Error: a model without likely outputs.
Result<FittedPreset> fitPreset(const Preset& preset, const GraphEntry& entry,
                               std::vector<std::string> inputs, std::vector<std::string> outputs,
                               const Job& job);

} // namespace lapidary
