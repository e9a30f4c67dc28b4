#pragma once

#include "transforms/pass/pass.h"

namespace lapidary {

// What the passes for a remote processor (Hexagon) answer: an error that says why they cannot run.
Result<EditResult> needsRemoteProcessor(const GraphPtr& graph, const PassArgs& args,
                                        const Job& job);

} // namespace lapidary
