// SPDX-License-Identifier: Apache-2.0
// graph_to_dot, as called through a link of that name (spec: tools, section 5). Quotation marks and
// backslashes in names are escaped; the original does not do so, and its files then cannot be read.
#include "app/cli/originals/original_flags.h"
#include "app/cli/originals/python_graphs.h"
#include "app/cli/tool_list.h"
#include "graph_model/write/write_model.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

std::string quoted(std::string_view name)
{
    std::string word = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\')
            word += '\\';
        word += c;
    }
    return word + "\"";
}

// Removes the caret and everything from the first colon on.
std::string_view producerOf(std::string_view input)
{
    if (input.starts_with('^'))
        input.remove_prefix(1);
    return input.substr(0, std::min(input.find(':'), input.size()));
}

std::string plainDot(const Graph& graph)
{
    std::string text = "digraph graphname {\n";
    for (const NodePtr& node : graph.nodes()) {
        const std::string name = quoted(node->name());
        text += "  " + name + " [label=" + quoted(node->op()) + "];\n";
        for (const Input& input : node->inputs())
            text += "  " + quoted(producerOf(input.text)) + " -> " + name + ";\n";
    }
    return text + "}\n";
}

int runGraphToDot(std::string_view calledAs, std::span<const std::string> words, Console& console)
{
    std::string graphFile;
    std::string output;
    bool isBinary = true;
    PythonFlags flags(calledAs);
    flags.addText("graph", graphFile);
    flags.addBool("input_binary", isBinary);
    flags.addText("dot_output", output);
    if (const auto done = flags.parse(words, console))
        return *done;
    if (saysIfMissing(graphFile, console))
        return originalFailure;
    int exitCode = 0;
    const auto graph = loadForPython(graphFile, isBinary, console, exitCode);
    if (!graph)
        return exitCode;
    if (const Status written = writeFileAtomically(output, plainDot(**graph)); !written)
        return pythonException("OSError", written.error().message, console);
    console.out << "Created DOT file '" << output << "'.\n";
    return 0;
}

} // namespace

const ReplacedTool tools::graphToDot{.name = "graph_to_dot", .run = runGraphToDot};

} // namespace lapidary
