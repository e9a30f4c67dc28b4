// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <string>

namespace lapidary {

// The nodes to compute in another type, and that type.
struct TypeDetour {
    std::string op;
    std::string attr; // the attribute with the type: "T"
    DType from = DType::Invalid;
    DType to = DType::Invalid;
};

// Finds nodes of the op whose attribute is `from`, with the reason if one cannot take the detour.
Result<Findings> findDetours(const Graph& graph, const TypeDetour& detour, const PassArgs& args,
                             const Job& job);
// Casts the inputs of such nodes to `to`, lets them compute in that type, and casts their outputs
// back.
Result<EditResult> takeDetours(const GraphPtr& graph, const TypeDetour& detour,
                               const PassArgs& args, const Job& job);

} // namespace lapidary
