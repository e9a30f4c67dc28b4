#pragma once

#include "views/layout/layered/problem.h"
#include "views/layout/layered/work.h"

#include <cstdint>
#include <vector>

namespace lapidary::layered {

// 1 for each edge that must be turned round to make the graph free of cycles: edges marked isBack
// unless they follow the flow of the others, and those that close a cycle in a depth-first walk
// from the sources in id order. Loops on one vertex are 0. O(vertices + edges), no recursion.
std::vector<std::uint8_t> findReversed(const Problem& problem, Work& work);

// Rank of each vertex: longest path, tightened, then network simplex with unit weights. Cut
// edges ask for nothing. Ports get of their own above and below everything. The first rank of each
// connected part without ports is 0.
std::vector<int> rankVertices(const Problem& problem, const std::vector<std::uint8_t>& reversed,
                              const std::vector<std::uint8_t>& isCut, Work& work);

} // namespace lapidary::layered
