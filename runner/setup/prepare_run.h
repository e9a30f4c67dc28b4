// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "runner/feeds/feed.h"
#include "runner/setup/run_plan.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A session with its variables loaded, and the request that the plan asks for.
struct PreparedRun {
    struct Source {
        FeedTarget target;
        FeedSource source;
        std::string_view setting = {}; // that the input steers, if it decided the source
    };
    // The graph that the session runs: that of the entry, converted to TensorFlow's ops if it was
    // read from another format.
    GraphPtr graph;
    Session session;
    RunRequest request;
    std::vector<Source> sources; // sources of request.feeds, in the same order
    // ops without a kernel, if the plan reports them; nothing can be run
    std::vector<MissingKernel> missing;
    std::string backEnd;    // back end of its 8-bit products; empty if it has none
    std::string vainInputs; // vainInputsText() of the likely inputs, where these are fed
};

// Completes the feeds and fetches of the plan from the model's interface, and makes the values. A
// PlaceholderWithDefault is fed only if the plan names it, and a likely input that steers training
// (inputSetting()) gets the value for inference. `path` is the file or folder that the graph was
// read from, for its variables and files; "-" for none.
//
// Errors carry a reason: MissingKernel with all such ops and their nodes in the message (unless the
// plan reports them), MissingSize, BackEnd, NoOutputs and those of makeFeed() and the session.
Result<PreparedRun> prepareRun(const GraphEntry& entry, const std::filesystem::path& path,
                               const RunPlan& plan, const Job& job);

// Returns "no kernel for Op (node, node); Op (node and 12 more)", and for constants of other
// formats whose weights are missing "no values of node, node".
std::string missingText(const std::vector<MissingKernel>& missing);
// Returns whether the op is one such as "ONNX.Const", to which lifting turns a constant without
// values.
bool isConstWithoutValue(std::string_view op);

} // namespace lapidary
