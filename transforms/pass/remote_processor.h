// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

namespace lapidary {

// Differences of the passes for a remote processor (Hexagon).
inline constexpr std::string_view needsRemoteProcessorNote =
    "There is no executor for a remote processor here: the pass ends in an error that says so.";

// run() of these passes: returns an error that says why they cannot run.
Result<EditResult> needsRemoteProcessor(const GraphPtr& graph, const PassArgs& args,
                                        const Job& job);

} // namespace lapidary
