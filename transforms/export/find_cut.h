// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/export_model.h"

#include <optional>

namespace lapidary {

// Finds other inputs and outputs, between which the most of the graph can be exported: after the
// refused nodes near the inputs, before those near the outputs. The export of the part that is
// returned was tried; nothing if there is no such part. Fails only when cancelled.
Result<std::optional<ExportInterface>> findExportCut(const GraphPtr& graph,
                                                     const ExportInterface& asked,
                                                     const std::vector<ExportRefusal>& refused,
                                                     const ModelExportOptions& options,
                                                     const Job& job);

} // namespace lapidary
