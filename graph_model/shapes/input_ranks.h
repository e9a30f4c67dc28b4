// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/shapes/shape_facts.h"

#include <span>
#include <string>

namespace lapidary {

// The first input whose rank or length TensorFlow 1.15.5 refuses whatever the op's attributes are,
// as part of a sentence; empty where there is none. They were asked of TensorFlow's importer
// (resources/ops/input_ranks.tsv).
std::string inputShapeFault(const Node& node, const OpSpec& op,
                            std::span<const TensorState> inputs);

} // namespace lapidary
