// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"
#include "transforms/pass/pass.h"
#include "transforms/quantize/range_log.h"

namespace lapidary {

// Does the work of the pass freeze_requantization_ranges with the ranges that it has read. Only the
// inputs and outputs of `args` matter: ranges among them stay measured.
Result<EditResult> freezeRanges(const GraphPtr& graph, const FrozenRanges& ranges,
                                const PassArgs& args);

} // namespace lapidary
