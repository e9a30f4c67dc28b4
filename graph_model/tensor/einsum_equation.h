// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One character an axis; those that an ellipsis stands for are 1, 2, ... from the last one.
using EinsumLabels = std::string;

// What the attribute `equation` of Einsum says: "ab,bc->ac", "...ij->...ji".
struct EinsumEquation {
    std::vector<EinsumLabels> inputs;
    EinsumLabels output;
};

// Reads an equation for one or two inputs of at most 32 dimensions. An input of unknown rank has
// the axes that its term names. Errors say what is wrong with the equation, without the node.
Result<EinsumEquation> readEinsum(std::string_view equation, std::span<const Shape> inputs);

// The size of every label, -1 where it is unknown; sizes of 1 behind an ellipsis repeat. A label
// with two sizes is an error, and so is one of the output that no input has or that stands twice.
Result<std::map<char, std::int64_t>> einsumSizes(const EinsumEquation& equation,
                                                 std::span<const Shape> inputs);

bool hasEllipsis(std::string_view equation);

} // namespace lapidary
