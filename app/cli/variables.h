// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"

#include <string>
#include <vector>

namespace lapidary {

// What to do with variables when a model is written as a graph, which cannot hold their
// values.
struct VariableFlags {
    bool freezes = false;
    bool keeps = false;
    std::string checkpoint; // empty: the one that belongs to the model
};
void addVariableOptions(VerbCall& call, VariableFlags& flags);

// The entry with its variables as constants, where that was asked for, or goes without saying
// (`isPreset`) and their values are at hand; else the entry as it is. `outputs` may be empty: those
// of the signature. Says on stderr what was frozen.
Result<GraphEntry> frozenIfNeeded(const OpenedModel& opened, const VariableFlags& flags,
                                  const std::vector<std::string>& outputs, bool isPreset,
                                  Console& console);

// Refuses to write `graph` where values would be lost without having been asked for; where there
// are none to lose, says so on stderr.
Status checkVariables(const OpenedModel& opened, const VariableFlags& flags, const Graph& graph,
                      Console& console);

// Says that the variables of what is written have no values there, where it has any.
void sayVariables(const VerbCall& call, const Graph& written, Console& console);

} // namespace lapidary
