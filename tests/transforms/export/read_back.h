// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/check_graph.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/read/model_file.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/run_obstacle.h"
#include "tests/catch.h"
#include "transforms/export/export_model.h"

namespace lapidary {

// The exported file as it opens, with the ops that this program runs. Both graphs are sound, but
// for ops of ours that no file may have, and nothing is said to stand in the way of a run.
inline GraphPtr readBack(const ExportedModel& made)
{
    const auto file = readModelBytes(*made.file->bytes(), "exported", Job());
    REQUIRE(file);
    for (const Problem& problem : file->problems)
        FAIL_CHECK(problem.message);
    REQUIRE(file->graphs.size() == 1);
    for (const Problem& problem : file->graphs[0].problems)
        FAIL_CHECK(problem.node << ": " << problem.message);
    const GraphEntry& entry = file->graphs[0];
    CHECK(runObstacle(entry, modelInterface(entry, ""), "exported", Job()).what.empty());
    const auto lifted = liftGraph(entry.graph, Job());
    REQUIRE(lifted);
    const auto isOurs = [&](const std::string& name) {
        const NodeId id = (*lifted)->find(name);
        return id.isValid() && (*lifted)->node(id).op().starts_with('_');
    };
    for (const Problem& problem : checkGraph(**lifted, Job()))
        if (problem.severity == Severity::Error && !isOurs(problem.node))
            FAIL_CHECK("lifted: " << problem.node << ": " << problem.message);
    return *lifted;
}

} // namespace lapidary
