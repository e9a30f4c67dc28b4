// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "tests/goldens/tally.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// Returns whether a transformed graph computes the same as the original graph: compared with the
// recorded results on the recorded feeds if there are any, else both graphs are run here on seeded
// random numbers. If the original tool's graph computes something else (because of coarse weights
// or ranges that clip), the results of that graph are accepted.
Proof proveNumbers(const nlohmann::json& testCase, const GraphPtr& before, const GraphPtr& after);

// Returns the names as the tool reads them: joined by commas and split again.
std::vector<std::string> splitNames(const nlohmann::json& list);

} // namespace lapidary::goldens
