// SPDX-License-Identifier: Apache-2.0
// strip_unused, as called through a link of that name (spec: tools, section 3.5). An input keeps
// its own type if none is given; the original makes it float.
#include "app/cli/originals/python_graphs.h"
#include "app/cli/tool_list.h"
#include "transforms/inference/strip_graph.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

constexpr std::int64_t ownType = 0; // no type was given

struct StripUnusedOptions {
    std::string inputGraph;
    std::string outputGraph;
    std::string inputs;
    std::string outputs;
    std::int64_t type = ownType;
    bool inputBinary = false;
    bool outputBinary = true;
};

int strip(const StripUnusedOptions& wanted, const Console& console)
{
    int exitCode = 0;
    const auto graph = loadForPython(wanted.inputGraph, wanted.inputBinary, console, exitCode);
    if (!graph)
        return exitCode;
    StripRequest request{
        .inputs = pythonList(wanted.inputs), .outputs = pythonList(wanted.outputs), .types = {}};
    if (wanted.type != ownType) {
        auto types = dtypesOfEnums(std::to_string(wanted.type));
        if (!types)
            return pythonException("ValueError", types.error().message, console);
        request.types = *std::move(types);
    }
    if (const auto failure = refuseTensorNames(request.inputs, console))
        return *failure;
    const auto edit = stripGraph(*graph, request, console.job);
    if (!edit)
        return pythonException("AssertionError", edit.error().message, console);
    if (const int code =
            writeForPython(*edit->graph, wanted.outputGraph, wanted.outputBinary, console))
        return code;
    console.out << edit->graph->size() << " ops in the final graph.\n";
    return 0;
}

int runStripUnused(std::string_view calledAs, std::span<const std::string> words, Console& console)
{
    StripUnusedOptions wanted;
    PythonFlags flags(calledAs);
    flags.addText("input_graph", wanted.inputGraph);
    flags.addBool("input_binary", wanted.inputBinary);
    flags.addText("output_graph", wanted.outputGraph);
    flags.addBool("output_binary", wanted.outputBinary);
    flags.addText("input_node_names", wanted.inputs);
    flags.addText("output_node_names", wanted.outputs);
    flags.addInt("placeholder_type_enum", wanted.type);
    if (const auto done = flags.parse(words, console))
        return *done;
    // The original prints these messages and returns success.
    if (saysIfMissing(wanted.inputGraph, console))
        return 0;
    if (wanted.outputs.empty()) {
        console.out << "You need to supply the name of a node to --output_node_names.\n";
        return 0;
    }
    return strip(wanted, console);
}

} // namespace

const ReplacedTool tools::stripUnused{.name = "strip_unused", .run = runStripUnused};

} // namespace lapidary
