// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/rule_context.h"

namespace lapidary::shape_rules {

// Rules that several families share.
void same(RuleContext& context);          // every output has the shape of the first input
void sameEach(RuleContext& context);      // output i has the shape of input i
void broadcast(RuleContext& context);     // of the first two inputs
void scalars(RuleContext& context);       // every output is a scalar
void nothing(RuleContext& context);       // all outputs, if any, have unknown shapes
void shapeOperand(RuleContext& context);  // the values of the first input are the shape
void unknownVector(RuleContext& context); // [?]
void ownShape(RuleContext& context);      // the attribute `shape`

// Returns the facts about the variable of the first input, null if unknown. It is a contradiction
// if the node reads it as a dtype (attribute `dtype`) that it does not have.
const HandleFacts* variableBehind(RuleContext& context);

// Returns the shape of the variable that a handle refers to. For an unknown handle this is the
// handle's own shape, as in TensorFlow.
const Shape& shapeBehind(const RuleContext& context, std::size_t input);

// One dimension of a window that slides over `size`; unknown sizes are -1.
struct Window {
    std::int64_t filter = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0; // only if the padding is explicit
    std::int64_t after = 0;
    // Whether a window that exceeds the data by less than a stride gives no output instead of an
    // error.
    bool mayHaveNoPlace = false;
};
std::int64_t windowed(RuleContext& context, std::int64_t size, const Window& window,
                      std::string_view padding);

// The axes of an image in a data_format of `rank`.
struct ImageAxes {
    std::size_t channel = 3;
    std::size_t firstSpatial = 1;
};
ImageAxes imageAxes(std::string_view dataFormat, std::size_t rank);

// Returns the axis, from 0, that a scalar operand names; nothing if the operand or the rank is
// unknown. An axis out of range is a contradiction.
std::optional<std::size_t> axisFrom(RuleContext& context, std::size_t operand, const Shape& shape,
                                    std::int64_t extra = 0);

} // namespace lapidary::shape_rules
