// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/setup/run_plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Returns the command that runs a model by this plan: "lapidary run 'model.pb' --feed 'x=random:1'
// ...", quoted for a POSIX shell. Values that cannot be written as a source are left out.
std::string runLine(const std::string& model, const RunPlan& plan);

// Parses the plan of such a command as "lapidary run" itself does, with the same defaults.
// "lapidary run" may be missing at the beginning. Fails with the errors of the command, or if a
// quotation is not closed or another verb is named.
Result<RunPlan> parseRunLine(std::string_view line);

// Splits the command of a POSIX shell into words: resolves quotations, backslashes and continued
// lines; expands nothing.
Result<std::vector<std::string>> shellWords(std::string_view line);

} // namespace lapidary
