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

// Names the kinds of ops that do the work. Ops that only carry values, branch or hold weights are
// named only if there are no others. If a group with weights has products or
// convolutions, only these are named, even if other ops are far more numerous.
GroupSummary summarizeGroup(const Group& group);

} // namespace lapidary
