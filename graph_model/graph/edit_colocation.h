// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

namespace lapidary {

// Returns the graph of an edit of `base` with updated colocations: entries "loc:@NODE" of the
// attribute `_class` name the node that replaced a removed or renamed one, and are dropped if there
// is none. Entries without a node in `base` stay. Returns the same pointer if nothing changes.
// TensorFlow refuses to import a node that is colocated with one that does not exist.
GraphPtr withColocations(const Graph& base, const EditResult& edit);

} // namespace lapidary
