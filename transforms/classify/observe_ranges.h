// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/classify/evaluate_folder.h"
#include "transforms/quantize/range_log.h"

namespace lapidary {

// The ranges that an 8-bit graph measures.
struct RangeObservation {
    std::string log; // for freeze_requantization_ranges: every range of every picture
    FrozenRanges ranges;
    std::size_t pictures = 0;             // that could be read
    std::vector<std::string> unread = {}; // why others were left out; each names its file
};
// Runs a graph that was read from `path` over all pictures of a folder. It is an error if it
// measures no ranges.
Result<RangeObservation> observeRanges(const GraphEntry& entry, const std::string& path,
                                       const std::string& images, ClassifyPlan plan,
                                       const RangeChoice& choice, const Job& job);

// Returns the graph with these ranges as constants, and without nodes that are then unused.
Result<GraphPtr> withRanges(const GraphPtr& graph, const FrozenRanges& ranges,
                            const Labeling& labeling, const Job& job);

} // namespace lapidary
