// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"
#include "transforms/pass/pass.h"
#include "transforms/quantize/range_log.h"

namespace lapidary {

// Does what the pass freeze_requantization_ranges does with the ranges that it has read. Only
// inputs and outputs of `args` count: ranges that are among them stay measured.
Result<EditResult> freezeRanges(const GraphPtr& graph, const FrozenRanges& ranges,
                                const PassArgs& args);

} // namespace lapidary
