// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// Hints from the op of a node on whether it is a result of the model.
bool isPickingOp(std::string_view op);   // selects the best of a tensor: ArgMax, TopK
bool isReshapingOp(std::string_view op); // changes the form of a tensor
bool neverAnOutput(std::string_view op);

// Returns whether a node is the result of a look-up in a table of words, including the default, if
// it turns words into numbers.
bool isLookup(const Graph& graph, NodeId id);

std::int64_t weighedPorts(const Node& node); // number of ports to examine

// Returns the name of an output in the op's definition; empty if it has none.
std::string_view outputName(const Node& node, std::int32_t port);

// Returns whether a tensor has the indices or the shape of a sparse tensor.
bool isSparseFrame(const Node& node, std::int32_t port);

// Returns whether a node selects the best of a result only to count how often it is right: only
// comparisons read it, and its name does not suggest a result.
bool isPickedToMeasure(const Graph& graph, NodeId id);
// Returns whether a value is one number computed over all examples (the first axis): a sum or mean
// over it, or a value that is only computed from such numbers.
bool sumsOverExamples(const Graph& graph, NodeId id);
// Returns whether a node pools over height and width but not over examples: in windows, or over the
// whole picture as a Mean or Max over at least two axes.
bool poolsSpace(const Graph& graph, NodeId id);
// Returns whether a node finds equal or finite floating-point numbers, which is not a result but a
// check of one.
bool asksForEqualFloats(const Node& node);
// Returns whether a batch normalization without readers belongs to a layer whose weights are used
// in another form, for example if training for 8 bits has folded it into them.
bool isFoldedElsewhere(const Graph& graph, NodeId id);

// Returns whether a node gives the unchanged value of a variable; false for the variable itself.
bool readsVariable(const Graph& graph, NodeId id);

// Returns the node of the first input; invalid if there is none, or if `id` is invalid.
NodeId firstProducer(const Graph& graph, NodeId id);
// Returns whether a Merge joins values that branches deliver besides their results.
bool joinsSideOutputs(const Graph& graph, NodeId id);
// Returns whether a value only indicates that a branch was taken.
bool isBranchSignal(const Graph& graph, NodeId id);
// Returns whether a value counts the iterations of a loop that also carries another value.
bool isLoopCounter(const Graph& graph, NodeId id);

} // namespace lapidary
