// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/work.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lapidary::layered {

// The constraint at[head] - at[tail] >= length.
struct SimplexEdge {
    int tail = 0;
    int head = 0;
    int length = 1;
    int weight = 1;
};

// Moves a feasible assignment `at` so that the sum of weight * (at[head] - at[tail]) becomes
// minimal (network simplex with a spanning forest, low/limit numbering and local updates). Stops
// when the work is used up; at any moment, `at` is feasible and no worse than the given one.
void networkSimplex(std::span<const SimplexEdge> edges, std::vector<int>& at, Work& work);

} // namespace lapidary::layered
