// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "tests/goldens/tally.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// Whether a transformed graph computes what the graph computed before: on the recorded feeds and
// against the recorded answers where there are any, else both are run here on seeded numbers. Where
// the original's own result computes something else (coarse weights, ranges that cut), computing
// what that one does will do.
Proof proveNumbers(const nlohmann::json& testCase, const GraphPtr& before, const GraphPtr& after);

// The names as the tool sees them: joined by commas and split again.
std::vector<std::string> splitNames(const nlohmann::json& list);

} // namespace lapidary::goldens
