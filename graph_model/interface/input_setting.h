// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <optional>
#include <string_view>

namespace lapidary {

// An input that steers a network rather than being computed with, and the value with which the
// network infers.
struct InputSetting {
    double value = 0;        // of every element; a switch is 0 or 1
    std::string_view reason; // "how much a dropout keeps"
};

// Tells a setting from the nodes that read it, whatever its name: how much a dropout keeps or drops
// (what tf.nn.dropout makes), and the switch between a branch that trains and one that does not.
// Nothing for other inputs. Looks at some 20,000 nodes at most.
std::optional<InputSetting> inputSetting(const Graph& graph, Endpoint input);

} // namespace lapidary
