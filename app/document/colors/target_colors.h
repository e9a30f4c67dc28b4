// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/colors/coloring.h"
#include "app/document/target/target_session.h"

namespace lapidary {

// Returns classes for the nodes that cannot run on the target, or perhaps cannot, and for the
// groups that contain such nodes, which get the worst class of them. Nodes that run have no class.
ColorClasses targetColors(const TargetReport& report, const Preparation& preparation);

} // namespace lapidary
