#pragma once

#include "graph_model/scopes/prepared_scope.h"

namespace lapidary {

// Marks what has more than options.hubDegree neighbours in the scope as a hub, and its edges as
// stubs; pinned nodes never. O(edges log edges).
void cutHubs(PreparedScope& scope, const PrepareOptions& options);

} // namespace lapidary
