// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/faces.h"
#include "views/layout/layered/csr.h"
#include "views/layout/layered/problem.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lapidary {

// A point where edges cross the border of an open group. All edges of one kind that share a tensor
// on either side of the border use the same port.
struct ScopePort {
    bool isTop = true;      // edges enter here
    std::vector<int> inner; // edges of the group's own prepared scope
    std::vector<int> outer; // edges of the parent's
};

// A scope's content in ranks and order: everything that depends neither on sizes, nor on which
// groups are open, nor on the window. Made once, so siblings keep their order whatever is opened.
struct ScopePlan {
    PreparedScope scope;
    std::vector<Face> faces;                // per item
    std::vector<std::vector<Pill>> pills;   // per item: chips, then stubs
    std::vector<ScopePort> ports;           // vertex of port i: items + i
    std::unordered_map<int, int> topPortOf; // the parent's edge -> port
    std::unordered_map<int, int> bottomPortOf;
    std::vector<std::uint8_t> isStub; // per prepared edge: shown by stubs at both boxes
    layered::Problem problem;
    layered::Plan plan;
    std::vector<int> edgeOf;      // prepared edge of each edge of the problem
    std::vector<int> problemEdge; // reverse map; -1: not drawn through
    // For the plans of the scopes inside: the edges at each item, and the position in their rank of
    // the items at the other side.
    layered::Lists edgesInto;
    layered::Lists edgesOutOf;
    std::vector<int> comesFrom; // per prepared edge
    std::vector<int> leadsTo;
    std::unordered_map<ItemId, int> itemIndex;
};
using ScopePlanPtr = std::shared_ptr<const ScopePlan>;

struct ScopePlanInput {
    const Preparation& preparation;
    const FaceMaker& faces;
    const SceneOptions& options;
    std::int64_t orderWork;
    const ScopePlan* parent; // of the enclosing scope; null at the root
};

// The only error is a cancelled job.
Result<ScopePlanPtr> planScope(PreparedScope scope, const ScopePlanInput& input, const Job& job);

// Returns the size that determines the work allowance of a scope.
std::int64_t scopeSize(const PreparedScope& scope);

} // namespace lapidary
