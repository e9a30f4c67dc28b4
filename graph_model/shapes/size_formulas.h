// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/rule_context.h"

#include <cstdint>
#include <limits>

namespace lapidary {

// Formulas of sizes and shapes for rules. Unknown sizes are -1, and so are results that depend on
// them. Those that take the context record a contradiction there.

// The size at an index, which counts from the back where it is negative; unknown where the rank is.
std::int64_t sizeAt(const Shape& shape, std::int64_t index);
// The sizes from `begin` to before `end`; both may count from the back.
Shape partOf(const Shape& shape, std::int64_t begin,
             std::int64_t end = std::numeric_limits<std::int64_t>::max());
Shape joined(const Shape& a, const Shape& b);
// The least rank of a shape that has this axis, which counts from the end where it is negative.
constexpr std::size_t rankWith(std::int64_t axis)
{
    return std::size_t(axis < 0 ? ~axis : axis) + 1;
}
// The shape with another size at one index; unchanged where that is not there.
Shape withDim(Shape shape, std::int64_t index, std::int64_t size);

std::int64_t sum(RuleContext& context, std::int64_t a, std::int64_t b);
std::int64_t difference(RuleContext& context, std::int64_t a, std::int64_t b);
std::int64_t product(RuleContext& context, std::int64_t a, std::int64_t b);
// 0 where one of them is, whatever the other is.
std::int64_t smaller(std::int64_t a, std::int64_t b);
// The number of elements: 0 where a size is, whatever the others are.
std::int64_t elementsOf(RuleContext& context, const Shape& shape);
// Rounded down; a rest is a contradiction where the division must be exact.
std::int64_t quotient(RuleContext& context, std::int64_t a, std::int64_t by, bool exact);
Shape broadcastShape(RuleContext& context, const Shape& a, const Shape& b);

} // namespace lapidary
