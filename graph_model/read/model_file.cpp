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

std::size_t ModelFile::usualGraph() const
{
    const auto isTagged = [](const GraphEntry& entry) {
        return std::ranges::find(entry.tags, "serve") != entry.tags.end();
    };
    // TensorFlow's loader takes one whose only tag is "serve" for these tags.
    const auto isServed = [&](const GraphEntry& entry) {
        return entry.tags.size() == 1 && isTagged(entry);
    };
    auto usual = std::ranges::find_if(graphs, isServed);
    if (usual == graphs.end())
        usual = std::ranges::find_if(graphs, isTagged);
    return usual == graphs.end() ? 0 : std::size_t(usual - graphs.begin());
}

} // namespace lapidary
