// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/rule_context.h"

#include <cstdint>
#include <limits>

namespace lapidary {

// Formulas for sizes and shapes in rules. Unknown sizes are -1, and so are results that depend on
// them. Functions with a context report contradictions there.

// Returns the size at an index; a negative one counts from the end. Unknown if the rank is.
std::int64_t sizeAt(const Shape& shape, std::int64_t index);
// Returns the sizes from `begin` up to `end`, exclusive; negative positions count from the end.
Shape partOf(const Shape& shape, std::int64_t begin,
             std::int64_t end = std::numeric_limits<std::int64_t>::max());
Shape joined(const Shape& a, const Shape& b);
// Returns the least rank of a shape with this axis; a negative one counts from the end.
constexpr std::size_t rankWith(std::int64_t axis)
{
    return std::size_t(axis < 0 ? ~axis : axis) + 1;
}
// Returns the shape with another size at one index, or unchanged if the index is out of range.
Shape withDim(Shape shape, std::int64_t index, std::int64_t size);

std::int64_t sum(RuleContext& context, std::int64_t a, std::int64_t b);
std::int64_t difference(RuleContext& context, std::int64_t a, std::int64_t b);
std::int64_t product(RuleContext& context, std::int64_t a, std::int64_t b);
// Returns the smaller size: 0 if one of them is 0, even if the other is unknown.
std::int64_t smaller(std::int64_t a, std::int64_t b);
// Returns the number of elements: 0 if a size is 0, even if others are unknown.
std::int64_t elementsOf(RuleContext& context, const Shape& shape);
// Returns the quotient, rounded down. If it must be exact, a remainder is a contradiction.
std::int64_t quotient(RuleContext& context, std::int64_t a, std::int64_t by, bool exact);
Shape broadcastShape(RuleContext& context, const Shape& a, const Shape& b);

} // namespace lapidary
