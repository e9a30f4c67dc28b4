// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/loop_frames.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lapidary {

// Returns the value of a tensor of one integer if it is the same in every run, else nothing.
using KnownNumber = std::function<std::optional<std::int64_t>(Endpoint)>;

// Returns the condition that ends the loop: "time ≥ 25 or all finished". Numbers replace names if
// they are known. Empty if the condition is not understood.
std::string loopEnd(const DrawnLoop& frame, const KnownNumber& number);

// The number of iterations of a loop, if it does not depend on feeds.
struct LoopTurns {
    std::int64_t count = 0;
    bool isMost = false; // it may end earlier
};
std::optional<LoopTurns> loopTurns(const DrawnLoop& frame, const KnownNumber& number);

} // namespace lapidary
