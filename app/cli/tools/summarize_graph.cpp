// SPDX-License-Identifier: Apache-2.0
// summarize_graph, as called through a link of that name (spec: transforms, section 5).
#include "app/cli/originals/original_flags.h"
#include "app/cli/originals/original_loading.h"
#include "app/cli/tool_list.h"
#include "graph_model/summary/summary.h"

#include <ostream>

namespace lapidary {
namespace {

int runSummarizeGraph(std::string_view calledAs, std::span<const std::string> arguments,
                      Console& console)
{
    std::string inGraph;
    bool printStructure = false;
    OriginalFlags flags(calledAs);
    flags.addString("in_graph", inGraph, "input graph file name");
    flags.addBool("print_structure", printStructure,
                  "whether to print the network connections of the graph");
    if (!flags.parse(arguments, console.err)) {
        originalLog(console.err, flags.usage());
        return originalFailure;
    }
    if (!flags.leftover().empty()) {
        originalLog(console.err,
                    "Unknown argument " + flags.leftover().front() + ".\n" + flags.usage());
        return originalFailure;
    }
    if (inGraph.empty()) {
        originalLog(console.err, "in_graph graph can't be empty.\n" + flags.usage());
        return originalFailure;
    }
    const auto graph = loadAsOriginal(inGraph, console.job);
    if (!graph) {
        originalLog(console.err,
                    "Loading graph '" + inGraph + "' failed with " + graph.error().message);
        originalLog(console.err, flags.usage());
        return originalFailure;
    }
    const SummaryText summary = summarizeGraphText(**graph, inGraph, printStructure);
    console.out << summary.text;
    if (summary.error.empty())
        return 0;
    originalLog(console.err, summary.error + "\n" + flags.usage());
    return originalFailure;
}

} // namespace

const ReplacedTool tools::summarizeGraph{.name = "summarize_graph", .run = runSummarizeGraph};

} // namespace lapidary
