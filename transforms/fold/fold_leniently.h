// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

namespace lapidary {

// Does what the pass fold_constants does, also to graphs that TensorFlow would not import because
// of names, or of shapes that contradict each other: for a graph on its way into another format,
// whose contradictions may lie in branches that are never taken. The errors are the pass's others.
Result<EditResult> foldLeniently(const GraphPtr& graph, const PassArgs& args, const Job& job);

} // namespace lapidary
