// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

namespace lapidary {

// Read the MetaGraphDef or SavedModel message in file.buffer into file.graphs, file.problems and
// file.envelope. Return whether the model has a saver, and so needs variables beside it.
Result<bool> readMetaGraphFile(ModelFile& file, const Job& job);
Result<bool> readSavedModel(ModelFile& file, const Job& job);

} // namespace lapidary
