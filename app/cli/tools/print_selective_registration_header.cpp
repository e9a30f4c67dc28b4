// SPDX-License-Identifier: Apache-2.0
// print_selective_registration_header, as called through a link of that name (spec: tools, section
// 7). Functions that the graph calls are included; the original ignores them.
#include "app/cli/originals/original_loading.h"
#include "app/cli/originals/python_flags.h"
#include "app/cli/originals/python_graphs.h"
#include "app/cli/tool_list.h"
#include "graph_model/targets/selective_header.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

struct PrintSelectiveRegistrationHeaderOptions {
    std::string graphs;
    std::string format = "rawproto";
    std::string defaults{defaultKernels};
};

Status collect(const PrintSelectiveRegistrationHeaderOptions& wanted, NeededKernels& needed,
               const Console& console)
{
    const KernelClasses kernels;
    for (const std::string& file : pythonList(wanted.graphs)) {
        console.err << "INFO:tensorflow:Loading proto file " << file << '\n';
        const auto graph = wanted.format == "textproto" ? loadAsOriginal(file, console.job)
                                                        : loadBinaryAsOriginal(file, console.job);
        RETURN_IF_ERROR(graph);
        addNeeded(**graph, kernels, needed);
    }
    for (const std::string& op : needed.missing)
        console.err << "Warning: no kernel found for op " << op << '\n';
    return wanted.defaults == "all" ? Status(Done{}) : addNamedKernels(wanted.defaults, needed);
}

int runPrintSelectiveRegistrationHeader(std::string_view calledAs,
                                        std::span<const std::string> words, Console& console)
{
    PrintSelectiveRegistrationHeaderOptions wanted;
    PythonFlags flags(calledAs);
    flags.addText("graphs", wanted.graphs, PythonFlags::Need::Required);
    flags.addText("proto_fileformat", wanted.format);
    flags.addText("default_ops", wanted.defaults);
    if (const auto done = flags.parse(words, console))
        return *done;
    NeededKernels needed;
    if (const Status collected = collect(wanted, needed, console); !collected) {
        const Error& error = collected.error();
        return pythonException(error.code == ErrorCode::BadFile ? "DecodeError"
                               : error.code == ErrorCode::Io    ? "NotFoundError"
                                                                : "ValueError",
                               error.message, console);
    }
    if (wanted.defaults == "all")
        console.out << fullHeader(flags.program());
    else if (needed.pairs.empty())
        console.out << "Error reading graph!\n1\n";
    else
        console.out << selectiveHeader(needed, flags.program());
    return 0;
}

} // namespace

const ReplacedTool tools::printSelectiveRegistrationHeader{
    .name = "print_selective_registration_header", .run = runPrintSelectiveRegistrationHeader};

} // namespace lapidary
