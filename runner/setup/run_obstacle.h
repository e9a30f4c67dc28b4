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

// A reason why a graph cannot be run, as far as can be seen before the run.
struct RunObstacle {
    std::string
        what; // "there is no kernel for A, B", "its 9 variables have no values"; empty: none
    bool lacksValues = false; // a checkpoint could supply them
    bool isFault = false;     // the graph is damaged; checkGraph() has the details
};

// Returns what keeps the outputs of `interface`, which is modelInterface(entry, ""), from being
// computed. `path` is the file or folder that the model was read from.
RunObstacle runObstacle(const GraphEntry& entry, const Result<ModelInterface>& interface,
                        const std::filesystem::path& path, const Job& job);

// The use of a fed value: for all but Plain, zeros are not a suitable value.
enum class InputUse {
    Plain,
    Decoded,   // a string that is parsed: a picture, a sound, a tf.Example
    SteersLoop // a single number that a loop computes with
};
InputUse inputUse(const Graph& graph, const FeedTarget& input);

} // namespace lapidary
