// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// The bytes of a TensorBoard event file that holds one graph: two checksummed records, the version
// of the format and the graph, both made at `wallTime` seconds since 1970.
std::string encodeEventFile(const Graph& graph, double wallTime);

// "events.out.tfevents.1795292072.host", as TensorBoard looks for it.
std::string eventFileName(double wallTime, const std::string& host);

} // namespace lapidary
