// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"

#include <string>
#include <vector>

namespace lapidary {

// Tells what happens to variables when a model is written as a graph, which cannot contain their
// values.
struct VariableFlags {
    bool freezes = false;
    bool keeps = false;
    std::string checkpoint; // empty: the one that belongs to the model
};
void addVariableOptions(VerbCall& call, VariableFlags& flags);

// Returns the entry with its variables frozen if the flags request it, or if that is the default of
// the verb (`isPreset`) and their values are available; else the entry unchanged. `outputs` may be
// empty: those of the signature. Reports on standard error what was frozen.
Result<GraphEntry> frozenIfNeeded(const OpenedModel& opened, const VariableFlags& flags,
                                  const std::vector<std::string>& outputs, bool isPreset,
                                  Console& console);

// Fails if values of variables in `graph` would be lost without a request for that. If the model
// has no values to lose, reports that on standard error.
Status checkVariables(const OpenedModel& opened, const VariableFlags& flags, const Graph& graph,
                      Console& console);

// Reports that the variables of the written graph have no values, if it has variables.
void sayVariables(const VerbCall& call, const Graph& written, Console& console);

} // namespace lapidary
