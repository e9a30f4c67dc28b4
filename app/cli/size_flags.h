// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "runner/feeds/feed.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns " --shape NAME=SIZES" for each input of a graph that leaves sizes open, with sizes that
// fit; empty if none does. Names are quoted for a shell.
Result<std::string> sizeFlags(const Graph& graph, const std::vector<FeedTarget>& inputs,
                              const Job& job);

// Adds sizes that would fit to the remedy of an error for an unknown size; returns other errors
// unchanged.
Error withProposedSizes(Error error, const GraphEntry& entry, const Job& job);

} // namespace lapidary
