// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/problem.h"

#include <cstdint>
#include <vector>

namespace lapidary::layered {

// Cuts rails: edges that skip many ranks and run side by side, or along half of a chain, and the
// other such edges of their sources. Drawn, they would lead around everything between their
// vertices, several times if a chain is folded into columns. Where vertices are side by side, lines
// pass between them, and only many parallel ones are rails. The picture stays connected: each
// vertex keeps an edge into it and one out of it, and connected parts stay connected. O(edges log
// edges).
void cutSkips(const Problem& problem, const PlanOptions& options, const std::vector<int>& rank,
              const std::vector<std::uint8_t>& reversed, std::vector<std::uint8_t>& isCut);

} // namespace lapidary::layered
