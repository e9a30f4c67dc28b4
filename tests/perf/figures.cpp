// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/figures.h"

#include <cstdlib>
#include <fstream>

namespace lapidary::testing {

void recordFigure(std::string_view name, double milliseconds)
{
    if (const char* path = std::getenv("LAPIDARY_FIGURES"); path != nullptr)
        std::ofstream(path, std::ios::app) << name << '\t' << milliseconds << '\n';
}

} // namespace lapidary::testing
