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

// A value that circulates in a loop: it enters, is merged with the result of the last iteration,
// and passes a gate into the body or out of the loop.
struct LoopState {
    std::string name; // of its initial value, or of its role: "time", "state 2", "output_0[time]"
    NodeId enter;
    NodeId merge;
    NodeId gate;                // Switch
    NodeId next;                // NextIteration
    NodeId exit;                // invalid if nothing reads it
    NodeId write;               // into the array that circulates; invalid for other values
    std::vector<NodeId> copies; // Identity nodes after the gate
};

// A value that is the same in all iterations.
struct LoopInvariant {
    std::string name;
    NodeId enter;
};

// An array element that is read in each iteration.
struct LoopRead {
    std::string name; // "input_0[time]"
    NodeId node;
};

// One of the conditions that end a loop: "time ≥ 25".
struct LoopStop {
    std::string subject;
    std::string_view relation; // empty if the subject says it all
    std::string limitName;
    Endpoint limit; // a tensor whose number may be known
    // The initial value and the step of a value that changes by the same amount in every iteration.
    // Invalid for others.
    Endpoint start;
    Endpoint step;
    bool isSubtracted = false; // whether the step is subtracted
};

// A while loop of TensorFlow 1: a frame of the executor.
struct DrawnLoop {
    static constexpr std::uint32_t none = UINT32_MAX;

    std::string_view name;       // of the frame
    std::uint32_t parent = none; // the enclosing loop
    NodeId condition;            // LoopCond
    std::vector<NodeId> tests;   // the nodes that only compute the condition, its last node first
    std::vector<LoopState> states;
    std::vector<LoopInvariant> invariants;
    std::vector<LoopRead> reads;
    std::vector<LoopStop> stops; // the first one met ends the loop; empty: not understood
};

struct LoopFrames {
    std::vector<DrawnLoop> frames; // outer ones first
    // By node: the innermost loop, or none. An Exit counts as inside of the loop that it leaves.
    std::vector<std::uint32_t> frameOf;
    // Returns whether `inner` is `outer` or inside it; `none` encloses everything.
    bool isInside(std::uint32_t inner, std::uint32_t outer) const;
};
using LoopFramesPtr = std::shared_ptr<const LoopFrames>;

// Finds the loops of a graph. A node counts as inside only if it is in the same part as the loop's
// condition: nodes that keep values of iterations for gradients stay with the gradients. Loops of
// another form than those of tf.while_loop are left out. Returns null if there are none. O(nodes +
// edges).
LoopFramesPtr findLoops(const Graph& graph, const NodeParts* parts);

// Sets the names of values and the end conditions of every loop.
void nameLoops(const Graph& graph, LoopFrames& loops);

} // namespace lapidary
