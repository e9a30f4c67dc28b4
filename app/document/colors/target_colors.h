// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/colors/coloring.h"
#include "app/document/target/target_session.h"

namespace lapidary {

// Classes of the nodes that do not run on the target, or may not, and of the groups that hold any:
// that of the worst one. What runs there has no class.
ColorClasses targetColors(const TargetReport& report, const Preparation& preparation);

} // namespace lapidary
