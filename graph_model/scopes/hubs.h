// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/prepared_scope.h"

namespace lapidary {

// Marks each item with more than options.hubDegree neighbors in the scope as a hub, and its edges
// as stubs. Pinned nodes are never hubs. O(edges log edges).
void cutHubs(PreparedScope& scope, const PrepareOptions& options);

} // namespace lapidary
