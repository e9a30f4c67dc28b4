// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

namespace lapidary {

// Returns the problems that checkGraph() finds in one graph of a file that was read without the
// check. If nodes were lost to damage, references to them are summarized in one note. Returns an
// error only if cancelled.
Result<Problems> checkEntry(const ModelFile& file, std::size_t entry, const Job& job);

} // namespace lapidary
