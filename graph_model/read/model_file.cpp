// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"

#include <algorithm>

namespace lapidary {

bool ModelFile::hasErrors() const
{
    const auto isError = [](const Problem& problem) { return problem.severity == Severity::Error; };
    return std::ranges::any_of(problems, isError) ||
           std::ranges::any_of(graphs, [&](const GraphEntry& entry) {
               return std::ranges::any_of(entry.problems, isError);
           });
}

} // namespace lapidary
