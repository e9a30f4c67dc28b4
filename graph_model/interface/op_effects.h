// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// Describes what an op does to the world around the values that flow through a graph.
enum class OpEffect : std::uint8_t {
    None,
    Save,      // writes or reads a checkpoint, or asks whether a variable has a value
    Assign,    // sets a variable or fills a table
    Train,     // applies a gradient: ApplyAdam, ResourceApplyMomentum
    Scatter,   // updates rows of a variable
    Queue,     // moves data in, or holds it before the network: queues, readers, iterators
    Summarize, // writes what people look at
    Check,     // stops or reports where something is wrong
};
OpEffect opEffect(std::string_view op);

// Ops that are run for their effect, or that describe the process rather than the data.
bool isRunForEffect(std::string_view op);
// Computes a gradient, or exists only for one. Transposed convolutions are gradients by name only.
bool isGradientOp(std::string_view op);
bool isSummaryOp(std::string_view op);

} // namespace lapidary
