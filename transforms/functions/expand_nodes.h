// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/functions/expander.h"
#include "transforms/pass/pass.h"

namespace lapidary {

// The nodes of these kinds, with the reason where one cannot be expanded.
Result<Findings> findExpansions(const GraphPtr& graph, Expander::Kinds kinds, const Job& job);

// Puts the bodies of functions in place of the nodes that call them. Functions that are no longer
// called leave the library. A node that is an input or output of the model, or that nothing reads,
// stays as an Identity or IdentityN, one that control edges start from as a NoOp.
Result<EditResult> expandNodes(const GraphPtr& graph, const PassArgs& args, Expander::Kinds kinds,
                               const Job& job);

// Returns the same graph with only those functions that its nodes may call.
GraphPtr withUsedFunctions(const GraphPtr& graph);

} // namespace lapidary
