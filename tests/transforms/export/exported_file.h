// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_graph.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/export_model.h"

#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// Exports a graph with the input x; it must not be refused.
inline ExportedModel exportedFile(const GraphPtr& graph, ExportTarget target,
                                  std::vector<std::string> outputs)
{
    ModelExportOptions options;
    options.target = target;
    ExportInterface interface;
    interface.inputs = {"x"};
    interface.outputs = std::move(outputs);
    auto made = exportModel(graph, interface, options, Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    REQUIRE(made->refused.empty());
    return *std::move(made);
}

// Returns an empty text if the file, read and run by this program, computes what the graph
// computes.
inline std::string computesOther(const GraphPtr& graph, const ExportedModel& made,
                                 const std::vector<std::string>& outputs)
{
    const auto file = readModelBytes(*made.file->bytes(), "exported", Job());
    REQUIRE(file);
    const auto lifted = liftGraph(file->graphs[0].graph, Job());
    REQUIRE(lifted);
    return computesOther(graph, *lifted, outputs, 1e-5);
}

} // namespace lapidary
