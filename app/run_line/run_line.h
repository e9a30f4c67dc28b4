// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/setup/run_plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The command that runs a model by this plan: "lapidary run 'model.pb' --feed 'x=random:1' ...",
// quoted for a POSIX shell. Leaves out values that have no words.
std::string runLine(const std::string& model, const RunPlan& plan);

// Parses the plan of such a command, as "lapidary run" itself does, with the same defaults.
// "lapidary run" may be missing at the beginning. Errors are those of the command, or say that a
// quotation is not closed, or that another verb is named.
Result<RunPlan> parseRunLine(std::string_view line);

// The words of a POSIX shell's command: quotations, backslashes and continued lines are resolved,
// nothing is expanded.
Result<std::vector<std::string>> shellWords(std::string_view line);

} // namespace lapidary
