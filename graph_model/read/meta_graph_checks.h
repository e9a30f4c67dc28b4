// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"
#include "graph_model/read/meta_graph_reader.h"

namespace lapidary {

// Returns the contradictions between a meta graph and its graph: signatures, collections and the
// saver refer to nodes and tensors that do not exist. `isSavedModel`: apply the rules of the
// SavedModel loader.
Problems checkMetaGraph(const MetaGraphRead& meta, bool isSavedModel);

} // namespace lapidary
