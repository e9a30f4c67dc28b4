// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/problem.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lapidary::testing {

// Graphs with the structure of real models, without names, for tests and benchmarks of the layout.
layered::Problem chainGraph(int vertices);
layered::Problem residualGraph(int blocks);    // a trunk with skips around three ops
layered::Problem inceptionGraph(int modules);  // four branches, joined
layered::Problem transformerGraph(int layers); // attention, feed-forward, residual adds, one mask
layered::Problem trainingGraph(int layers);    // forward, mirrored gradients, one update a layer
layered::Problem loopGraph(int variables);     // while loop: Merge, Switch, body, NextIteration
layered::Problem fanGraph(int width);          // one to many to one
layered::Problem randomGraph(int vertices, int edges, std::uint64_t seed); // cycles and repeats too

std::vector<std::pair<std::string, layered::Problem>> sampleProblems();

} // namespace lapidary::testing
