// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <optional>
#include <string_view>

namespace lapidary {

// An input that controls a network and is not data, with its value for inference.
struct InputSetting {
    double value = 0;        // of every element; 0 or 1 for a switch
    std::string_view reason; // "how much a dropout keeps"
};

// Recognizes a setting by the nodes that read it, regardless of its name: the keep or drop rate of
// a dropout (as tf.nn.dropout makes it), and the switch between a branch for training and one for
// inference. Returns nothing for other inputs. Examines at most about 20,000 nodes.
std::optional<InputSetting> inputSetting(const Graph& graph, Endpoint input);

} // namespace lapidary
