// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "graph_model/interface/interface_flags.h"

#include <string>

namespace lapidary {

// An input whose sizes a run needed, and a proposal for them.
struct OpenShape {
    std::string tensor;
    std::string proposed; // as users type it; empty if nothing fits
};

// Finds the sizes that fit an input best, together with the other chosen inputs. Takes a dozen
// times as long as inferring shapes.
OpenShape proposeShape(const Graph& graph, const std::string& tensor, const InterfaceChoice& choice,
                       const Job& job);

} // namespace lapidary
