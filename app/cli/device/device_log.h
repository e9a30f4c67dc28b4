// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "runner/profile/node_profile.h"

#include <string>
#include <vector>

namespace lapidary {

// A profile of another machine for a graph, compared with a profile of this machine.
struct DeviceOverlay {
    struct Row {
        std::string name;
        std::string op;
        double thereMs = 0;
        double hereMs = -1; // negative: not measured here
        // 2: it takes twice the share of the time that it takes here. Negative: not known.
        double slowness = -1;
    };
    std::vector<Row> rows;           // nodes of the graph, the slowest there first
    std::vector<std::string> absent; // nodes that the log has and the graph has not
    double thereMs = 0;              // of all nodes in the log
    double matchedMs = 0;            // of the nodes that the graph has
    double hereMs = -1;
};

// `here` may be null.
DeviceOverlay overlayOf(const Graph& graph, const NodeProfile& there, const NodeProfile* here);

void printOverlay(const DeviceOverlay& overlay, Console& console);
Json overlayJson(const DeviceOverlay& overlay);

} // namespace lapidary
