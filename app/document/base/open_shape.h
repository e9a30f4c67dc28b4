// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "graph_model/interface/interface_flags.h"

#include <string>

namespace lapidary {

// An input whose sizes a run lacked, and what they may be.
struct OpenShape {
    std::string tensor;
    std::string proposed; // as people type it; empty where nothing fits
};

// Finds the sizes that fit an input best beside the other inputs that are chosen. A dozen times the
// cost of inferring shapes.
OpenShape proposeShape(const Graph& graph, const std::string& tensor, const InterfaceChoice& choice,
                       const Job& job);

} // namespace lapidary
