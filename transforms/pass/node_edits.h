#pragma once

#include "transforms/pass/pass.h"

#include <functional>

namespace lapidary {

// Offers a draft of every node that `concerns` picks to `change`; other nodes, and so their
// weights, are not copied. The error of `change`, to which the node's name is added, ends the pass.
Result<EditResult> editNodes(const GraphPtr& graph, const Job& job,
                             const std::function<bool(const Node&)>& concerns,
                             const std::function<Status(const Node&, NodeDraft&)>& change);

} // namespace lapidary
