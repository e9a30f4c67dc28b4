// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"
#include "runner/plan/fusion.h"

#include <memory>

namespace lapidary {

// Returns an observer for runs of the fused graph that reports each member to `observe`: the nodes
// of a fusion share its time in proportion to their weights, one after the other; their times add
// up exactly. Only the last one has outputs. An unset observer stays unset.
ObserveNode shareTimes(const std::shared_ptr<const FusedGraph>& fused, const ObserveNode& observe);

} // namespace lapidary
