// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "transforms/verify/verify_runs.h"

#include <string>

namespace lapidary {

// Returns in one line why an 8-bit graph computes other outputs than the graph that it was made
// from, and the remedy: "per-tensor weights of 13 depthwise layers: use arm-8bit-accurate". Empty
// if it has no such weights, or loses no more than rounding usually costs.
std::string lossReason(const Graph& quantized, const Verification& verification);

} // namespace lapidary
