// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

// Conditions that several actions need, for `ActionSpec::isEnabled`.
bool hasTab(const ActionContext& context);
bool hasGraph(const ActionContext& context);
bool hasScene(const ActionContext& context); // there is a scene of the graph that is shown
bool hasSelection(const ActionContext& context);
bool hasNodeSelected(const ActionContext& context); // a node has the focus
bool hasGroupSelected(const ActionContext& context);
bool hasHits(const ActionContext& context); // there are hits of the search

// The first thing to do if a condition is not met, for `ActionSpec::needs`.
inline constexpr std::string_view needsSelection = "Select a node or scope first";
inline constexpr std::string_view needsNode = "Select a node first";
inline constexpr std::string_view needsHits = "Search for something first (Ctrl+F)";
inline constexpr std::string_view needsProfile = "Measure the graph first (F5)";

// Returns the reason why there is no picture of a graph to act on, and what to do; empty if there
// is one.
QString pictureObstacle(const ActionContext& context);

} // namespace lapidary
