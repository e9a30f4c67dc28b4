// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// Why a node of this op is in no exported file, with what to do; empty for others.
std::string reasonAgainst(const Node& node);

// Why what computes in codes is not exported.
std::string reasonAgainstCodes();

// For the handbook: ops that are refused by name, with their texts.
struct RefusedOp {
    std::string_view op;
    std::string_view reason;
};
std::span<const RefusedOp> refusedOps();

} // namespace lapidary
