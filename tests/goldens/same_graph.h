// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary::goldens {

// The first difference between our graph and a recorded one; empty where they are equal: versions,
// library and nodes, with the attributes that begin with "_". Node by node first, because names may
// be used twice; then by name, whatever the order. Values of folded constants (spec: transforms,
// section 7.6) may be off by 1e-7 + 2e-6 of their size. With `mayRename`, nodes whose names only
// one of the graphs has may stand for each other: which of several equal nodes the original keeps
// depends on hashes.
//
// The original loses versions and library in many of its transforms; ours have to be those of the
// graph before, `input`, where the recorded graph has none.
std::string differenceTo(const Graph& ours, const Graph& recorded, const Graph& input,
                         bool mayRename = false);

} // namespace lapidary::goldens
