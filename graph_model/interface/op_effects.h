// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// The effect of an op beyond the values that flow through a graph.
enum class OpEffect : std::uint8_t {
    None,
    Save,      // writes or reads a checkpoint, or asks whether a variable has a value
    Assign,    // sets a variable or fills a table
    Train,     // applies a gradient: ApplyAdam, ResourceApplyMomentum
    Scatter,   // updates rows of a variable
    Queue,     // moves data in, or holds it before the network: queues, readers, iterators
    Summarize, // writes summaries for people
    Check,     // stops or reports if something is wrong
};
OpEffect opEffect(std::string_view op);

// Returns whether an op is run for its effect, or describes the process and not the data.
bool isRunForEffect(std::string_view op);
// Returns whether an op computes a gradient, or exists only for one. Transposed convolutions are
// gradients only by name.
bool isGradientOp(std::string_view op);
bool isSummaryOp(std::string_view op);

} // namespace lapidary
