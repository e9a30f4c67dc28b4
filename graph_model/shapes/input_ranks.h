// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/shapes/shape_facts.h"

#include <span>
#include <string>

namespace lapidary {

// Returns the fault of the first input whose rank or length TensorFlow 1.15.5 refuses regardless of
// the op's attributes, as part of a sentence; empty if there is none. The rules were determined
// with TensorFlow's importer (resources/ops/input_ranks.tsv).
std::string inputShapeFault(const Node& node, const OpSpec& op,
                            std::span<const TensorState> inputs);

} // namespace lapidary
