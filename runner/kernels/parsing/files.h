// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <string>
#include <string_view>

namespace lapidary {

// The content of a file that a node of the graph names. A graph is a stranger's program: only files
// below the model's own folder are read, wherever `..` and symbolic links lead, unless the user
// allowed all files. Only regular files no larger than the memory limit.
Result<std::string> readFile(const KernelContext& context, std::string_view name);

// Nothing of a graph writes, unless the user allowed it; an error that says so.
Status checkMayWrite(const KernelContext& context, std::string_view name);

} // namespace lapidary
