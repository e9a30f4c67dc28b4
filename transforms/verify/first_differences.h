// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/compared_graphs.h"
#include "transforms/verify/verify_runs.h"

namespace lapidary {

// Marks the inner pairs at which no error begins, and finds the first pair above the tolerance and
// the first broken one at which an error does begin.
//
// A pair is undone if every nearest compared tensor that depends on it is within the tolerance.
// It is also undone if it holds the same numbers on another scale (rescaledDb far above sqnrDb),
// and its readers undo the scale: every nearest compared tensor that is not rescaled itself is
// nearly as good as rescaledDb; or `b` lacks the next node or has another op instead, as after a
// fold of a normalization. Damaged weights are not undone: nothing after them brings the numbers
// back.
//
// Costs O(pairs above the tolerance * edges of a).
void findFirstDifferences(const ComparedGraphs& graphs, Verification& verification);

} // namespace lapidary
