// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

namespace lapidary {

// Reads the graphs of an event file (file.buffer) into file.graphs and file.problems.
Status readEventFile(ModelFile& file, const Job& job);

} // namespace lapidary
