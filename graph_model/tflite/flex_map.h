// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lapidary {

// The options of a custom operator are most often a FlexBuffers map of numbers and texts.
using FlexValue = std::variant<bool, std::int64_t, double, std::string>;
using FlexMap = std::vector<std::pair<std::string, FlexValue>>;

// The entries of the map, without those that are lists or maps themselves; empty where the bytes
// are something else, as an operator's own format.
FlexMap readFlexMap(std::string_view bytes);
std::string writeFlexMap(const FlexMap& map);

// Those of an op of TensorFlow are a list of two texts: its name and its NodeDef.
struct FlexNode {
    std::string op = {};
    std::string nodeDef = {};
};

// Empty where the bytes are something else.
FlexNode readFlexNode(std::string_view bytes);
std::string writeFlexNode(const FlexNode& node);

} // namespace lapidary
