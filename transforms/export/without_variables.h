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
    std::vector<std::string> notes; // which variables were frozen, or why none was
    bool lacksCheckpoint = false;   // the variables need a checkpoint, and none was named
};

// Makes constants of the variables if their values are available, as in a SavedModel. Variables
// that a run changes are states, which become inputs and outputs. Inputs that only removed
// nodes read are removed from the interface. Without values the entry is returned unchanged,
// and its variables are refused later, node by node. Error: a checkpoint that was named and
// does not fit.
Result<ExportStart> withoutVariables(const GraphEntry& entry, const ExportedVariables& values,
                                     ExportInterface& interface, const Job& job);

} // namespace lapidary
