// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lapidary {

// The options of a custom operator, which are most often a FlexBuffers map of numbers and texts.
using FlexValue = std::variant<bool, std::int64_t, double, std::string>;
using FlexMap = std::vector<std::pair<std::string, FlexValue>>;

// Returns the entries of the map, except those that are lists or maps; none if the bytes are
// something else, such as an operator's own format. O(bytes): of a damaged map whose keys and texts
// overlap, returns only the first entries.
FlexMap readFlexMap(std::string_view bytes);
std::string writeFlexMap(const FlexMap& map);

// The options of a TensorFlow op, a list of two texts: its name and its NodeDef.
struct FlexNode {
    std::string op = {};
    std::string nodeDef = {};
};

// Returns an empty node if the bytes are something else.
FlexNode readFlexNode(std::string_view bytes);
std::string writeFlexNode(const FlexNode& node);

} // namespace lapidary
