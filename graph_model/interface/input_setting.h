// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <optional>
#include <string_view>

namespace lapidary {

// An input that controls a network instead of being computed with, and the value for
// inference.
struct InputSetting {
    double value = 0;        // of every element; a switch is 0 or 1
    std::string_view reason; // "how much a dropout keeps"
};

// Recognizes a setting by the nodes that read it, whatever its name: how much a dropout keeps or
// drops (what tf.nn.dropout makes), and the switch between a branch that trains and one that does
// not. Returns nothing for other inputs. Looks at some 20,000 nodes at most.
std::optional<InputSetting> inputSetting(const Graph& graph, Endpoint input);

} // namespace lapidary
