// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/placement.h"

namespace lapidary::testing {

// Returns how many pairs of different line pieces cross; a lane counts once, however many edges it
// contains.
long drawnCrossings(const layered::Problem& problem, const layered::Placement& placement);

} // namespace lapidary::testing
