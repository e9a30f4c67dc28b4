// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/write/byte_source.h"

#include <filesystem>
#include <functional>

namespace lapidary {

// Writes a whole file, or nothing.
using WriteFile =
    std::function<Status(const std::filesystem::path& path, const ByteSource& source)>;

// Makes writeFileAtomically() call `write` from now on, in a process that must not write itself.
// Must be called before other threads start.
void delegateWriting(WriteFile write);

} // namespace lapidary
