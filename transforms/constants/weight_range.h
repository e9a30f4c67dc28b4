// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "transforms/pass/rewritten.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

struct WeightRange {
    float min = 0;
    float max = 0;
    float largest = 0; // the value itself; it may be below max
};

// Computes the range as the original does: max is never below the smallest normal float,
// 1.1754944e-38 (spec: transforms, section 7.14). Returns nothing if there is NaN or infinity;
// without values, min is the largest float and `largest` the least. The floats are little-endian,
// at any address.
std::optional<WeightRange> weightRange(std::string_view floats);

// Why rewriteWeights declines a constant that holds NaN or infinity.
inline constexpr std::string_view notFinite = "it holds NaN or infinity";

using UseWeights = std::function<void(std::string_view floats, const WeightRange& range)>;
// Does what quantize_weights and round_weights share: calls `use` for a float Const of at least
// `fewest` elements, with the values that are stored (see storedFloatBytes), and declines others.
// Errors: a Const without dtype or value, or with one that cannot be decoded.
Rewritten rewriteWeights(const Node& node, std::uint64_t fewest, const UseWeights& use);

} // namespace lapidary
