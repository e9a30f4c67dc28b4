// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/lower/lowering.h"

namespace lapidary {

// prepareExport() and lowerGraph().
Result<LoweredModel> lowerAsItIs(const GraphPtr& graph, const ExportInterface& interface,
                                 ExportTarget target, const Job& job);
// Lowers like lowerAsItIs(); functions that a condition chooses become branches, and if the form of
// loops is free, those of an LSTM or a GRU become that. The notes say which, and why another one
// that has such a cell does not.
Result<LoweredModel> lowerWithLayers(const GraphPtr& graph, const ExportInterface& interface,
                                     ExportTarget target, const Job& job);

} // namespace lapidary
