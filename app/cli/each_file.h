// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"

#include <functional>
#include <string>
#include <vector>

namespace lapidary {

// Declares FILE..., instead of the single FILE of VerbCall::addFile(), which this calls.
void addFiles(VerbCall& call, std::vector<std::string>& files,
              const std::string& help = "the graphs to read; - reads standard input");

// Does the work of a verb for one file, call.file(); returns an exit code. With --json it fills the
// document and prints nothing.
using LookAtFile = std::function<int(Json& document)>;

// Calls `look` for each of the files and prints the documents: that of a single file as it is, else
// {"files": [...]}, each with its "file". Returns the worst exit code: 3, 1, 0; wrong use and
// cancelling end it at once.
int eachFile(VerbCall& call, const std::vector<std::string>& files, Console& console,
             const LookAtFile& look);

} // namespace lapidary
