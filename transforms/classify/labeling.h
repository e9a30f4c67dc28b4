// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/interface/interface.h"
#include "runner/execute/session.h"
#include "runner/feeds/image_feed.h"
#include "runner/feeds/labels.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

// The parameters of label_image after its flags are parsed.
struct Labeling {
    std::string image; // a file
    ImageFeed feed;
    std::string input; // tensors
    std::string output;
    std::string backEnd = {}; // of 8-bit products; empty: the best
};

struct ScoredLabel {
    std::string label; // empty if the list is too short
    std::int64_t index = 0;
    float score = 0;
};

// Fills in what the user left out: the likely tensors, sizes by the shape of the input. Without
// likely tensors, the error's reason is NoOutputs.
Status completeLabeling(Labeling& labeling, const GraphEntry& entry);

// Computes the output for the image; its type is float.
Result<Value> scoreImage(const GraphPtr& graph, const Labeling& labeling, const Job& job);
// The two halves of that: reading the image as the graph takes it, and the run.
Result<Value> readImage(const Labeling& labeling, Session& session, const Job& job);
Result<Value> scoreImage(Session& session, RunRequest request, const Job& job);
// Returns `request` with the image as one more feed and the labeling's output as its only fetch.
RunRequest withImage(RunRequest request, const Labeling& labeling, Value image);
// Returns the `count` best along the last axis, at index 0 of all other axes. Among equal scores
// the lower index comes first.
std::vector<ScoredLabel> bestLabels(const Value& scores, const std::vector<std::string>& labels,
                                    std::size_t count);
// Returns "checker board (6): 0.591967".
std::string labeline(const ScoredLabel& label);

} // namespace lapidary
