// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/interface/node_parts.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A value that circulates in a loop: it enters, is merged with the result of the last turn, and
// passes a gate into the body, or out of the loop.
struct LoopState {
    std::string name; // of what it starts with, or of its role: "time", "state 2", "output_0[time]"
    NodeId enter;
    NodeId merge;
    NodeId gate;                // Switch
    NodeId next;                // NextIteration
    NodeId exit;                // invalid if nothing reads it
    NodeId write;               // into the array that goes round; invalid for other values
    std::vector<NodeId> copies; // Identity nodes after the gate
};

// A value that is the same in all iterations.
struct LoopInvariant {
    std::string name;
    NodeId enter;
};

// An element of an array that is taken in each turn.
struct LoopRead {
    std::string name; // "input_0[time]"
    NodeId node;
};

// One of the reasons for a loop to end: "time ≥ 25".
struct LoopStop {
    std::string subject;
    std::string_view relation; // empty: the subject says all
    std::string limitName;
    Endpoint limit; // where its number may be known
    // For a value that changes by the same amount in every turn: its initial value, and the amount.
    // Invalid for others.
    Endpoint start;
    Endpoint step;
    bool isSubtracted = false; // the step
};

// A while loop of TensorFlow 1: a frame of the executor.
struct DrawnLoop {
    static constexpr std::uint32_t none = UINT32_MAX;

    std::string_view name;       // of the frame
    std::uint32_t parent = none; // the loop around it
    NodeId condition;            // LoopCond
    std::vector<NodeId> tests; // what computes the condition and nothing else, its last node first
    std::vector<LoopState> states;
    std::vector<LoopInvariant> invariants;
    std::vector<LoopRead> reads;
    std::vector<LoopStop> stops; // the first that is met ends the loop; empty: not understood
};

struct LoopFrames {
    std::vector<DrawnLoop> frames; // outer ones first
    // By node: the innermost loop, or none. An Exit counts as inside of the loop that it leaves.
    std::vector<std::uint32_t> frameOf;
    // Returns whether `inner` is `outer` or inside it; `none` encloses everything.
    bool isInside(std::uint32_t inner, std::uint32_t outer) const;
};
using LoopFramesPtr = std::shared_ptr<const LoopFrames>;

// Finds the loops of a graph. A node counts as inside where it is in the same part as the loop's
// condition: what gradients keep of a loop's turns stays with them. Loops of another form than
// those of tf.while_loop are left out. Null if there are none. O(nodes + edges).
LoopFramesPtr findLoops(const Graph& graph, const NodeParts* parts);

// Sets the names of values and the reasons to end of every loop.
void nameLoops(const Graph& graph, LoopFrames& loops);

} // namespace lapidary
