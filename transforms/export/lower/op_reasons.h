// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// Returns why nodes of this op cannot be exported, and the remedy; empty for other ops.
std::string reasonAgainst(const Node& node);

// Returns why nodes that compute in codes are not exported.
std::string reasonAgainstCodes();

// For the handbook: ops that are refused by name, with their texts.
struct RefusedOp {
    std::string_view op;
    std::string_view reason;
};
std::span<const RefusedOp> refusedOps();

} // namespace lapidary
