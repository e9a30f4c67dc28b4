// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// What the op of a node suggests about its being a result of the model.
bool isPickingOp(std::string_view op);   // takes the best of a tensor: ArgMax, TopK
bool isReshapingOp(std::string_view op); // brings a tensor into another form
bool neverAnOutput(std::string_view op);

// Tells whether a node is the result of a lookup in a table of words, default included, where words
// become numbers.
bool isLookup(const Graph& graph, NodeId id);

std::int64_t weighedPorts(const Node& node); // that are looked at

// Returns the name of an output in the op's definition; empty if it has none.
std::string_view outputName(const Node& node, std::int32_t port);

// Tells whether a tensor holds the indices or the shape of a sparse tensor.
bool isSparseFrame(const Node& node, std::int32_t port);

// Returns whether a node takes the best of a result only to count how often that is right: only
// comparisons read it, and its name does not suggest a result.
bool isPickedToMeasure(const Graph& graph, NodeId id);
// Tells whether a value is one number that is computed over all examples, the first axis: a sum or
// mean over it, and what is computed of such numbers alone.
bool sumsOverExamples(const Graph& graph, NodeId id);
// Tells whether a node pools over height and width, and over no examples: a window, or all of them
// as the Mean or Max over two axes or more.
bool poolsSpace(const Graph& graph, NodeId id);
// Tells whether a node asks which floating-point numbers are equal, or finite: no result is made
// so, but a check of one.
bool asksForEqualFloats(const Node& node);
// Returns whether a batch normalization without readers belongs to a layer whose weights are used
// in another form, for example where training for 8 bits has folded it into them.
bool isFoldedElsewhere(const Graph& graph, NodeId id);

// Tells whether a node gives the value of a variable as it is; the variable itself does not.
bool readsVariable(const Graph& graph, NodeId id);

// The node of the first input; invalid if there is none, or if `id` is.
NodeId firstProducer(const Graph& graph, NodeId id);
// Returns whether a Merge joins what branches deliver besides their results.
bool joinsSideOutputs(const Graph& graph, NodeId id);
// Tells whether a value says only that a branch was taken.
bool isBranchSignal(const Graph& graph, NodeId id);
// Tells whether a value counts the rounds of a loop that also carries something else.
bool isLoopCounter(const Graph& graph, NodeId id);

} // namespace lapidary
