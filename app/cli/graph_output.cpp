// SPDX-License-Identifier: Apache-2.0
#include "app/cli/graph_output.h"

#include "app/base/exit_codes.h"
#include "app/cli/verb_call.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"

namespace lapidary {
namespace {

int writeBinary(const Graph& graph, const std::string& path, Console& console)
{
    if (path == "-")
        return writeResult(path, encodeGraphDef(graph), console);
    const Status written = writeFileAtomically(path, graphDefSource(graph));
    return written ? exit_code::done : failWith(written.error(), console);
}

} // namespace

bool writesText(const std::string& path, bool asText)
{
    return asText || isTextPath(path);
}

int writeGraph(const Graph& graph, const std::string& path, bool asText, Console& console)
{
    if (!writesText(path, asText))
        return writeBinary(graph, path, console);
    std::vector<std::string> dropped;
    const auto text = graphDefText(graph, &dropped);
    if (!text)
        return failWith(text.error(), console);
    for (const std::string& field : dropped)
        console.complain(path + ": warning: text cannot hold " + field + ", it was left out");
    return writeResult(path, *text, console);
}

} // namespace lapidary
