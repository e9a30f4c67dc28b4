// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "transforms/export/export_plan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// The values of the variables of a model that is to be exported.
struct ExportedVariables {
    std::filesystem::path model;      // the file or folder that the entry was read from
    std::filesystem::path checkpoint; // a saver's prefix; empty: the one that belongs to the model
};

// The graph that an export begins with.
struct ExportStart {
    GraphEntry entry;
    std::vector<std::string> notes; // what was frozen, or why nothing was
    bool lacksCheckpoint = false;   // with the one that was not named the variables have values
};

// Makes constants of the variables where their values are at hand: a SavedModel is exported as it
// was published. Variables that a run changes are states, which become inputs and outputs. Inputs
// that only what was left out reads are taken out of the interface. Without values the entry stays
// as it is, and its variables are refused by their nodes later; a checkpoint that was named and
// does not do is an error.
Result<ExportStart> withoutVariables(const GraphEntry& entry, const ExportedVariables& values,
                                     ExportInterface& interface, const Job& job);

} // namespace lapidary
