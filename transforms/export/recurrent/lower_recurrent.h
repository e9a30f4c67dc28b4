// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/lower/lowering.h"

namespace lapidary {

// Calls prepareExport() and lowerGraph().
Result<LoweredModel> lowerAsItIs(const GraphPtr& graph, const ExportInterface& interface,
                                 ExportTarget target, const Job& job);
// Lowers like lowerAsItIs(); functions that a condition chooses become branches, and if the form of
// loops is free, loops with the cell of an LSTM or a GRU become that operation. The notes say which
// do, and why others with such a cell do not.
Result<LoweredModel> lowerWithLayers(const GraphPtr& graph, const ExportInterface& interface,
                                     ExportTarget target, const Job& job);

} // namespace lapidary
