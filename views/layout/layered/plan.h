// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "views/layout/layered/problem.h"

namespace lapidary::layered {

// Computes ranks, order and lanes of a graph: everything about a drawing except sizes and
// coordinates. Deterministic; the only error is a cancelled job. Cycles are cut by depth-first
// search, and ranks found by network simplex. The longest edges are left out until there are few
// enough dummies. Each connected part is ordered on its own, and dummies of one source that ended
// side by side are merged into lanes. If sharing lanes from the start would save a third of the
// vertices (large fan-out), that is tried too and the better result kept.
Result<Plan> makePlan(const Problem& problem, const PlanOptions& options, const Job& job);

} // namespace lapidary::layered
