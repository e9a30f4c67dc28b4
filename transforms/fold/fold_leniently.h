// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

namespace lapidary {

// Does the work of the pass fold_constants, also for graphs that TensorFlow would not import
// because of names, or of shapes that contradict each other: for a graph that is converted to
// another format, whose contradictions may be in branches that are never taken. Other errors are
// those of the pass.
Result<EditResult> foldLeniently(const GraphPtr& graph, const PassArgs& args, const Job& job);

} // namespace lapidary
