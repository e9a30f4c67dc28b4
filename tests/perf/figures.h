// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary::testing {

// Appends the line "NAME<tab>MILLISECONDS" to the file that the environment variable
// LAPIDARY_FIGURES names, for tests/perf/check_budgets; does nothing where the variable is not set.
// A name may be recorded several times: the least figure counts.
void recordFigure(std::string_view name, double milliseconds);

} // namespace lapidary::testing
