// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <functional>

namespace lapidary {

// Passes a draft of every node that `concerns` selects to `change`; weights are never copied. An
// error of `change`, to which the node's name is added, ends the pass.
Result<EditResult> editNodes(const GraphPtr& graph, const Job& job,
                             const std::function<bool(const Node&)>& concerns,
                             const std::function<Status(const Node&, NodeDraft&)>& change);

// Sets the same fields in every node that `concerns` selects; many times faster than editNodes().
Result<EditResult> editFields(const GraphPtr& graph, const Job& job,
                              const std::function<bool(const Node&)>& concerns,
                              const GraphEdit::Fields& fields);

// Returns one finding for each node that `concerns` selects.
Result<Findings> findNodes(const GraphPtr& graph, const Job& job,
                           const std::function<bool(const Node&)>& concerns);

} // namespace lapidary
