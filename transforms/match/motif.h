// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "transforms/match/attribute_test.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One op of a chain and how it is reached from the one before.
struct MotifStep {
    std::vector<std::string> ops; // globs, of which one has to fit
    std::vector<AttributeTest> tests;
    bool isControl = false;
    std::optional<std::uint32_t> slot; // the input of this node; not set: any
};
using Motif = std::vector<MotifStep>;

// A chain of ops as a user writes it: 'Conv2D[strides=1] -> BiasAdd|Add -> Relu*'.
//
//   chain = step { arrow step }          arrow = "->"         by any data edge
//   step  = op { "|" op } [ tests ]              "-" N "->"   into input number N, from 0
//   tests = "[" test { "," test } "]"            "-^->"       by a control edge
//   test  = name ( "=" | "!=" ) value
//   value = word | quoted | "[" [ value { "," value } ] "]"
//
// Ops and values are globs. White space is free between all of these. Errors name line and column.
Result<Motif> parseMotif(std::string_view text);

struct MotifMatches {
    std::vector<std::vector<NodeId>> chains; // a node for each step
    bool isComplete = true;                  // false: there are more than `limit`
};

// Finds every chain of the graph that fits, in node order, each once however many edges join two of
// its nodes. Chains may overlap, and if the graph has a loop, a node may be in one twice. O(steps *
// (nodes + edges) + matches).
Result<MotifMatches> findMotif(const Graph& graph, const Motif& motif, std::size_t limit,
                               const Job& job);

// Returns whether the node fits the step, regardless of its edges.
bool fitsStep(const Node& node, const MotifStep& step);

} // namespace lapidary
