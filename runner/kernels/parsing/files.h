// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <string>
#include <string_view>

namespace lapidary {

// Returns the content of a file that a node of the graph names. A graph is an untrusted program:
// unless the user allowed all files, only those below the model's own folder are read, after `..`
// and symbolic links are resolved. The file must be regular and no larger than the memory limit.
Result<std::string> readFile(const KernelContext& context, std::string_view name);

// Fails unless the user allowed the graph to write; the error says so.
Status checkMayWrite(const KernelContext& context, std::string_view name);

} // namespace lapidary
