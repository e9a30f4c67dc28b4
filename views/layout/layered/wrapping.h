#pragma once

#include "views/layout/layered/problem.h"

namespace lapidary::layered {

// Spreads the vertices of a rank that is wider than `widest` over several ranks below each other,
// in turns from left to right, so that the picture grows down and not only across. Lines that go
// past a vertex take its place in the order, hence nothing crosses that did not cross before.
// Ranks of ports stay as they are. O(vertices + path), log for sorting.
void wrapWideRanks(Layers& layers, const Problem& problem, int widest);

} // namespace lapidary::layered
