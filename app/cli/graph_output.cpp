// SPDX-License-Identifier: Apache-2.0
#include "app/cli/graph_output.h"

#include "app/base/exit_codes.h"
#include "app/cli/verb_call.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"

#include <filesystem>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

} // namespace

std::string overwritten(const std::string& model, const std::string& out)
{
    if (model.empty() || out.empty() || model == "-" || out == "-")
        return {};
    const fs::path path(model);
    for (const fs::path& file : {path, path / "saved_model.pb", path / "saved_model.pbtxt"}) {
        std::error_code ignored;
        if (fs::equivalent(file, out, ignored))
            return "OUT '" + out + "' is the input itself; choose another name";
    }
    return {};
}

bool writesText(const std::string& path, bool asText)
{
    return asText || isTextPath(path);
}

int writeGraph(const Graph& graph, const std::string& path, bool asText, Console& console)
{
    if (!writesText(path, asText))
        return writeResult(path, graphDefSource(graph), console);
    std::vector<std::string> dropped;
    const auto text = graphDefText(graph, &dropped);
    if (!text)
        return failWith(text.error(), console);
    for (const std::string& field : dropped)
        console.complain(path + ": warning: text cannot hold " + field + ", it was left out");
    return writeResult(path, *text, console);
}

} // namespace lapidary
