// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/functions/expander.h"
#include "transforms/pass/pass.h"

namespace lapidary {

// Finds the nodes of these kinds, with the reason if one cannot be expanded.
Result<Findings> findExpansions(const GraphPtr& graph, Expander::Kinds kinds, const Job& job);

// Replaces nodes that call functions by the bodies of these. Functions that are no longer called
// leave the library. A node that is an input or output of the model, or that no node reads, is kept
// as an Identity or IdentityN; if only control edges start from it, as a NoOp.
Result<EditResult> expandNodes(const GraphPtr& graph, const PassArgs& args, Expander::Kinds kinds,
                               const Job& job);

// Returns the same graph with only those functions that its nodes may call.
GraphPtr withUsedFunctions(const GraphPtr& graph);

} // namespace lapidary
