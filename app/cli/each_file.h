// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"

#include <functional>
#include <string>
#include <vector>

namespace lapidary {

// Declares FILE..., instead of the single FILE of VerbCall::addFile(), which is called too.
void addFiles(VerbCall& call, std::vector<std::string>& files,
              const std::string& help = "the graphs to read; - reads standard input");

// The work of a verb on one file, call.file(); returns an exit code. With --json it fills the
// document and prints nothing.
using LookAtFile = std::function<int(Json& document)>;

// Does so with every file that was given, and prints the documents: that of a single file as it is,
// else {"files": [...]}, each with its "file". Returns the worst exit code: 3, 1, 0; wrong use and
// cancelling end it at once.
int eachFile(VerbCall& call, const std::vector<std::string>& files, Console& console,
             const LookAtFile& look);

} // namespace lapidary
