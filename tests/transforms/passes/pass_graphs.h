// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/summary/summary.h"
#include "tests/graph_testing.h"
#include "tests/transforms/pass_testing.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

using Strings = std::vector<std::string>;
using Floats = std::vector<float>;
using Dims = std::vector<std::int64_t>;

// Three constants, sums of them and products of the sums, as in many tests of TensorFlow's own
// transforms. Attributes and device of a changed node replace those of the node with its name.
GraphPtr sumsGraph(const std::vector<NodeDraft>& changed = {},
                   const std::vector<NodeDraft>& added = {});
NodeDraft withAttrs(const char* name, const TestAttrs& attrs);
NodeDraft onDevice(const char* name, const char* device);
// sumsGraph() with attributes foo, bar and bob on mul_node1 and add_node2.
GraphPtr attributed();

// x -> a -> b -> c -> y, with a weight that is read through a copy, a Split, and a node that only
// waits.
GraphPtr network();
// Returns the error of a step on network(); the step must fail.
std::string failure(std::string_view step);
// Returns network() after a step.
GraphPtr edited(std::string_view step);

extern const Floats sampleInput;   // 12 numbers
extern const Floats sampleWeights; // 8 numbers
extern const TestAttrs same;       // strides 1, as large as the input
extern const TestAttrs valid;      // strides 1, no padding
// input_op, weights_op and conv_op of the given op.
GraphBuilder convolved(const char* op);
// A constant input, resized, padded or both, and a convolution "output".
GraphBuilder resized(bool resizes, bool pads);
// A convolution with 40 weights.
GraphPtr largeWeights(const Dims& dims, const Floats& input);
// Encodes only `stored` of the values of a shape: the last one stands for the rest.
GraphPtr splat(std::int64_t count, const Floats& stored);
std::int64_t storedIn(const GraphPtr& graph, std::string_view name);

const Node& nodeOf(const GraphPtr& graph, std::string_view name);
Strings namesOf(const GraphPtr& graph);
std::size_t countOps(const GraphPtr& graph, std::string_view op);
// Returns the constant that a node reads as input number `slot`.
Floats constantOf(const GraphPtr& graph, std::string_view node, std::size_t slot);
// Returns the elements of a Const of type quint8.
std::vector<int> quantizedValuesOf(const GraphPtr& graph, std::string_view name);
void checkNear(const Floats& got, const Floats& wanted, double relative = 1e-6);
// Checks that "output" computes the same after the step and that no node of the ops in `gone` is
// left.
GraphPtr checkedPass(const char* step, const GraphPtr& before, const Strings& gone,
                     double tolerance = 1e-5);

} // namespace lapidary
