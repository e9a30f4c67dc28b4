// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"

#include <vector>

namespace lapidary {

class Document;

// Returns the selected nodes, sorted; for a selected group, all nodes inside.
std::vector<NodeId> selectedNodes(const Document& document);

} // namespace lapidary
