// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns the nodes that tf.tables_initializer() runs: they fill tables from constants, or from
// files that constants name. O(nodes + edges).
std::vector<std::string> tableFillers(const Graph& graph);

// Returns those of them that a session may run although nothing says so: without them, no value can
// be looked up. A table that is filled once has the same content whichever of them runs; a table
// that a run can change has an unknown one if several nodes write into it.
std::vector<std::string> certainFillers(const Graph& graph);

// Runs the nodes that fill tables; `request` feeds the paths of assets. A table that cannot be
// filled is reported by the node that looks something up in it.
Status fillTables(Session& session, const std::vector<std::string>& fillers, RunRequest request,
                  const Job& job);

} // namespace lapidary
