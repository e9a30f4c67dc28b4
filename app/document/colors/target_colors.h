// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/colors/coloring.h"
#include "app/document/target/target_session.h"

namespace lapidary {

// Returns classes for the nodes that do not run on the target, or may not, and for the groups that
// contain any, which get the worst one. Nodes that run have no class.
ColorClasses targetColors(const TargetReport& report, const Preparation& preparation);

} // namespace lapidary
