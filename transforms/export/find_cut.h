// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/export_model.h"

#include <optional>

namespace lapidary {

// Other inputs and outputs, between which the most of the graph can be exported: behind the nodes
// that were refused near the inputs, in front of those near the outputs. What is returned was
// tried; nothing where no such part is left. Fails only when cancelled.
Result<std::optional<ExportInterface>> findExportCut(const GraphPtr& graph,
                                                     const ExportInterface& asked,
                                                     const std::vector<ExportRefusal>& refused,
                                                     const ModelExportOptions& options,
                                                     const Job& job);

} // namespace lapidary
