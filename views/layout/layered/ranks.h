// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/problem.h"
#include "views/layout/layered/work.h"

#include <cstdint>
#include <vector>

namespace lapidary::layered {

// Returns 1 for each edge that must be reversed to make the graph free of cycles: edges marked
// isBack unless they follow the flow of the others, and those that close a cycle in a depth-first
// walk from the sources in ID order. Loops on one vertex are 0. O(vertices + edges), no recursion.
std::vector<std::uint8_t> findReversed(const Problem& problem, Work& work);

// Returns the rank of each vertex: longest path, tightened, then network simplex with unit weights.
// Cut edges have no effect. Ports get ranks of their own above and below everything. The first rank
// of each connected part without ports is 0.
std::vector<int> rankVertices(const Problem& problem, const std::vector<std::uint8_t>& reversed,
                              const std::vector<std::uint8_t>& isCut, Work& work);

} // namespace lapidary::layered
