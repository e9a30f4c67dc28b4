// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/problem.h"

#include <cstdint>
#include <vector>

namespace lapidary::layered {

// Cuts the rails beside a chain: edges that skip many ranks and run side by side, or along half of
// the chain, and the others of their sources. Drawn, they would lead around everything between
// their ends, several times where the chain is folded into columns. What holds the picture together
// stays: each vertex keeps an edge into it and one out of it, and connected parts stay connected.
// O(edges log edges).
void cutSkips(const Problem& problem, const PlanOptions& options, const std::vector<int>& rank,
              const std::vector<std::uint8_t>& reversed, std::vector<std::uint8_t>& isCut);

} // namespace lapidary::layered
