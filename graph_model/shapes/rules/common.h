// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/rule_context.h"

namespace lapidary::shape_rules {

// Rules that several families share.
void same(RuleContext& context);          // every output like the first input
void sameEach(RuleContext& context);      // output i like input i
void broadcast(RuleContext& context);     // of the first two inputs
void scalars(RuleContext& context);       // every output a scalar
void nothing(RuleContext& context);       // outputs, if any, of unknown shape
void shapeOperand(RuleContext& context);  // the first input says the shape
void unknownVector(RuleContext& context); // [?]
void ownShape(RuleContext& context);      // the attribute `shape`

// Returns what is known of the variable of the first input, null if nothing is. A node that reads
// it as another dtype than it has (the attribute `dtype`) is a contradiction.
const HandleFacts* variableBehind(RuleContext& context);

// Returns the shape of the variable that a handle refers to. For an unknown handle TensorFlow takes
// its own shape instead.
const Shape& shapeBehind(const RuleContext& context, std::size_t input);

// Sizes of one dimension of a window that slides over `size`; -1 where it is not known.
struct Window {
    std::int64_t filter = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0; // only where the padding is explicit
    std::int64_t after = 0;
    // A window that exceeds the data by less than a stride has no output, but is not an error.
    bool mayHaveNoPlace = false;
};
std::int64_t windowed(RuleContext& context, std::int64_t size, const Window& window,
                      std::string_view padding);

// The dimensions of an image in a data_format of `rank`.
struct ImageAxes {
    std::size_t channel = 3;
    std::size_t firstSpatial = 1;
};
ImageAxes imageAxes(std::string_view dataFormat, std::size_t rank);

// The axis that a scalar operand names, from 0; nothing where it or the rank is not known. Out of
// range is a contradiction.
std::optional<std::size_t> axisFrom(RuleContext& context, std::size_t operand, const Shape& shape,
                                    std::int64_t extra = 0);

} // namespace lapidary::shape_rules
