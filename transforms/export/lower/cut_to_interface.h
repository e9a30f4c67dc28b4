// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/lower/prepared_graph.h"

namespace lapidary {

// Returns the graph between the inputs, which become placeholders of known sizes, and the outputs,
// without control edges and with the fixed values of the interface. Its shapes are not inferred
// yet. Errors are those of prepareExport.
Result<PreparedGraph> cutToInterface(const Graph& graph, const ExportInterface& interface,
                                     const Job& job);

} // namespace lapidary
