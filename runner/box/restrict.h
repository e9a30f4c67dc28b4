// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/box/grants.h"

#include <string>
#include <vector>

namespace lapidary {

// Takes from this process, for good, everything that a graph does not need: files that are not
// granted, the network, other programs and processes, and memory beyond the grant. The process must
// have one thread. Returns the restrictions that this system does not support, in words: "file
// access (Landlock)".
Result<std::vector<std::string>> restrictProcess(const BoxGrants& grants);

// Returns the restrictions that this system does not support for any process, in the same words.
std::vector<std::string> sandboxLacks();

namespace detail {
bool canRestrictFiles();
bool canRestrictCalls();
bool restrictFiles(const BoxGrants& grants); // by Landlock; false: not supported
bool restrictCalls();                        // by seccomp
bool restrictMemory(std::uint64_t bytes);
} // namespace detail

} // namespace lapidary
