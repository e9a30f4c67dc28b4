// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "runner/feeds/feed.h"
#include "runner/setup/model_interface.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// A reason why a graph cannot be run as it is, as far as can be seen before.
struct RunObstacle {
    std::string
        what; // "there is no kernel for A, B", "its 9 variables have no values"; empty: none
    bool lacksValues = false; // those of a checkpoint would do
    bool isFault = false;     // of the graph; checkGraph() says more
};

// Returns what keeps the outputs of `interface`, which is modelInterface(entry, ""), from being
// computed. `path` is the file or folder that the model was read from.
RunObstacle runObstacle(const GraphEntry& entry, const Result<ModelInterface>& interface,
                        const std::filesystem::path& path, const Job& job);

// The use of a fed value, as far as zeros would not do for it.
enum class InputUse {
    Plain,
    Decoded,   // a string that is parsed: a picture, a sound, an example
    SteersLoop // a single number that a loop computes with
};
InputUse inputUse(const Graph& graph, const FeedTarget& input);

} // namespace lapidary
