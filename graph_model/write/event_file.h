// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Returns the bytes of a TensorBoard event file with one graph: two checksummed records, the
// version of the format and the graph, both with the time `wallTime` in seconds since 1970.
std::string encodeEventFile(const Graph& graph, double wallTime);

// Returns a name that TensorBoard recognizes: "events.out.tfevents.1795292072.host".
std::string eventFileName(double wallTime, const std::string& host);

} // namespace lapidary
