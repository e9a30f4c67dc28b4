// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"
#include "graph_model/scopes/scope_tree.h"

#include <string>

namespace lapidary {

// A summary of the ops of a group in a few words.
struct GroupSummary {
    OpFamily family = OpFamily::Unknown;
    std::string text; // "Conv2D ×5 · MatMul ×3"
};

// Names the kinds of ops that do the work, never what only carries values, branches or holds
// weights, unless there is nothing else; of a group with weights, the products and convolutions,
// however much is around them.
GroupSummary summarizeGroup(const Group& group);

} // namespace lapidary
