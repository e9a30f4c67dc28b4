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

// One character for each axis; the axes of an ellipsis are 1, 2, ... from the last one.
using EinsumLabels = std::string;

// The parsed attribute `equation` of Einsum: "ab,bc->ac", "...ij->...ji".
struct EinsumEquation {
    std::vector<EinsumLabels> inputs;
    EinsumLabels output;
};

// Reads an equation for one or two inputs of at most 32 dimensions. An input of unknown rank has
// the axes that its term names. Errors describe the fault in the equation and do not name the node.
Result<EinsumEquation> readEinsum(std::string_view equation, std::span<const Shape> inputs);

// Returns the size of every label, -1 if unknown; sizes of 1 in an ellipsis repeat. Errors: a label
// with two sizes, and one of the output that no input has or that occurs twice.
Result<std::map<char, std::int64_t>> einsumSizes(const EinsumEquation& equation,
                                                 std::span<const Shape> inputs);

bool hasEllipsis(std::string_view equation);

} // namespace lapidary
