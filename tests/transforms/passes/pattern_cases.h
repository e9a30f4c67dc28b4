// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>
#include <vector>

namespace lapidary {

// A small graph in which a pass finds what it looks for, and others in which it does not.
struct PatternCase {
    struct NearMiss {
        std::string what;
        GraphPtr graph;
    };
    std::string step; // "remove_nodes(op=Identity)"
    GraphPtr graph;
    std::vector<std::string> pattern; // the nodes that match
    std::vector<NearMiss> nearMisses; // the pass has nothing to do
    std::vector<std::string> outputs{"y"};
    double tolerance = 1e-5; // of the results, as a part of the largest
    bool runs = true;        // there are kernels for it before and after
    bool keepsControls = true;
    bool endsAtOnce = true; // a second run on the changed graphs finds nothing more to do
};

// At least one for each pass of the table but for those that only keep a name. `folder`: where a
// log may be written.
std::vector<PatternCase> patternCases(const std::string& folder);

} // namespace lapidary
