// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/node_profile.h"

namespace lapidary {

// Joins the rows of the nodes that liftGraph() makes of an operator into one row, with the name and
// the op that the operator has in `file`, the graph that was read. Times and operations are added
// up; the output is the operator's own. Profiles of TensorFlow's graphs stay as they are. `run`:
// the measurement from which `profile` was made. O(rows + slices + runs x joined rows).
void joinOperatorRows(NodeProfile& profile, const RunProfile& run, const Graph& file);

} // namespace lapidary
