// SPDX-License-Identifier: Apache-2.0
// compare_graphs, as called through a link of that name (spec: transforms, section 6).
#include "app/cli/originals/original_flags.h"
#include "app/cli/originals/original_loading.h"
#include "app/cli/tool_list.h"
#include "transforms/compare/equal_graphs.h"

#include <ostream>

namespace lapidary {
namespace {

int runCompareGraphs(std::string_view, std::span<const std::string> arguments, Console& console)
{
    if (arguments.size() != 2) {
        originalLog(console.err, "compare_graphs expects two file names as arguments");
        return originalFailure;
    }
    GraphPtr graphs[2];
    for (std::size_t i = 0; i < 2; ++i) {
        const auto graph = loadAsOriginal(arguments[i], console.job);
        if (!graph) {
            originalLog(console.err, "Loading graph '" + arguments[i] + "' failed with " +
                                         graph.error().message);
            return originalFailure;
        }
        graphs[i] = *graph;
    }
    const std::string difference = graphDifference(*graphs[0], *graphs[1]);
    console.out << (difference.empty() ? "Graphs are equal." : difference) << '\n';
    return difference.empty() ? 0 : 1;
}

} // namespace

const ReplacedTool tools::compareGraphs{.name = "compare_graphs", .run = runCompareGraphs};

} // namespace lapidary
