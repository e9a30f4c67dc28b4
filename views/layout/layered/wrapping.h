// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/problem.h"

namespace lapidary::layered {

// Spreads the vertices of a rank that is wider than `widest` over several ranks below each other,
// in turn from left to right, so that the picture grows down and not only across. Lines that pass a
// vertex take its position in the order, so no new crossings arise. Ranks of ports are not changed.
// O(vertices + path), log for sorting.
void wrapWideRanks(Layers& layers, const Problem& problem, int widest);

} // namespace lapidary::layered
