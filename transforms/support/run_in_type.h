// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <string>

namespace lapidary {

// The nodes to compute in another type, and that type.
struct TypeDetour {
    std::string op;
    std::string attr; // that gives the type: "T"
    DType from = DType::Invalid;
    DType to = DType::Invalid;
};

// Nodes of the op whose attribute is `from`, with the reason where one cannot take the detour.
Result<Findings> findDetours(const Graph& graph, const TypeDetour& detour, const PassArgs& args,
                             const Job& job);
// Casts what such a node reads to `to`, lets it compute in that, and casts what it makes back.
Result<EditResult> takeDetours(const GraphPtr& graph, const TypeDetour& detour,
                               const PassArgs& args, const Job& job);

} // namespace lapidary
