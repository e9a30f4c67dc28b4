// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/shape.h"
#include "runner/execute/session.h"
#include "runner/feeds/feed_source.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// Returns the usual options, with `fuse`.
inline SessionOptions fusedSession()
{
    SessionOptions options;
    options.fuse = true;
    return options;
}

// Everything that decides how a graph is run. Front ends fill it in; prepareRun() (prepare_run.h)
// carries it out. Tensors are named "x:0", or "x" for the first output of x.
struct RunPlan {
    struct Feed {
        std::string tensor;
        FeedSource source;
        DType dtype = DType::Invalid; // replaces the graph's; Invalid: the graph's
    };
    std::vector<Feed> feeds;
    // Inputs in addition to the likely ones, fed in the same way; may repeat likely ones.
    std::vector<std::string> inputs;
    // The source of the inputs that `feeds` does not name, except settings, which are fed the
    // values for inference. If it is not set, only settings are fed.
    std::optional<FeedSource> otherInputs = ConstantFeed{};
    std::vector<std::pair<std::string, Shape>> shapes; // of inputs; replace the graph's
    std::vector<std::string> fetches;                  // empty without targets: the likely outputs
    std::vector<std::string> targets;                  // nodes to run without fetching an output
    std::string signature; // has the likely inputs and outputs; empty: the default one, if any
    // Threads, limits, the 8-bit back end. prepareRun() fills in the folder.
    SessionOptions session = fusedSession();
    bool reportsMissing = false; // ops without a kernel are reported instead of being an error
};

} // namespace lapidary
