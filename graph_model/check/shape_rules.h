#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A shape as far as it is known: nothing means not even the rank; -1 is an unknown size.
using KnownShape = std::optional<std::vector<std::int64_t>>;

// One data input of a node: its shape and, where it is a small constant of integers, its values.
struct ShapeInput {
    KnownShape shape;
    std::optional<std::vector<std::int64_t>> values;
};

// The shape of a node's first output, or why its inputs contradict each other. Rules for the few
// ops whose mistakes are common; every other op gives an unknown shape. What is unknown is never
// held against a node.
struct ShapeVerdict {
    KnownShape output;
    std::string conflict; // part of a sentence; empty: none
};
bool hasShapeRule(std::string_view op);
ShapeVerdict applyShapeRule(const Node& node, std::span<const ShapeInput> inputs);

} // namespace lapidary
