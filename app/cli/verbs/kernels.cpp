// SPDX-License-Identifier: Apache-2.0
// kernels: lists the kernels that a build of TensorFlow needs to run some graphs.
#include "app/base/exit_codes.h"
#include "app/cli/graph_output.h"
#include "app/cli/verb_call.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/targets/selective_header.h"

#include <algorithm>
#include <map>
#include <ostream>

namespace lapidary {
namespace {

struct KernelsOptions {
    std::vector<std::string> files;
    std::string header; // file to write it to; empty: none
    std::string extra{defaultKernels};
};

// Returns the number of nodes without a kernel, by op.
std::map<std::string, int> missingOps(const NeededKernels& needed)
{
    std::map<std::string, int> counts;
    for (const std::string& op : needed.missing)
        ++counts[op];
    return counts;
}

Json reportJson(const NeededKernels& needed, const KernelClasses& kernels)
{
    Json list = Json::array();
    for (const auto& [op, kernel] : needed.pairs) {
        const auto types = needed.typesOf.find(kernel);
        list.push_back({{"op", op},
                        {"kernel", kernel.empty() ? Json(nullptr) : Json(kernel)},
                        {"types", types == needed.typesOf.end() ? "" : types->second}});
    }
    Json missing = Json::array();
    for (const auto& [op, nodes] : missingOps(needed))
        missing.push_back({{"op", op}, {"nodes", nodes}});
    return {{"ops", {{"needed", needed.ops().size()}, {"of", kernels.ops()}}},
            {"kernels", {{"needed", needed.pairs.size()}, {"of", kernels.size()}}},
            {"needed", list},
            {"without_kernel", missing}};
}

void printReport(const NeededKernels& needed, const KernelClasses& kernels, Console& console)
{
    console.out << needed.ops().size() << " of " << kernels.ops() << " ops and "
                << needed.pairs.size() << " of " << kernels.size()
                << " kernels of TensorFlow 1.15 are needed:\n";
    std::size_t width = 0;
    for (const auto& [op, kernel] : needed.pairs)
        width = std::max(width, op.size());
    for (const auto& [op, kernel] : needed.pairs) {
        console.out << "  " << op << std::string(width + 2 - op.size(), ' ')
                    << (kernel.empty() ? "no kernel: replaced when the graph is loaded" : kernel);
        const auto types = needed.typesOf.find(kernel);
        if (types != needed.typesOf.end() && !types->second.empty())
            console.out << "  [" << types->second << ']';
        console.out << '\n';
    }
    for (const auto& [op, nodes] : missingOps(needed))
        console.out << "no kernel: " << op << " (" << nodes << (nodes == 1 ? " node" : " nodes")
                    << ") is not in TensorFlow 1.15, or not for these types and this device\n";
}

// Collects the kernels that the files need. Returns an exit code if a file could not be read.
std::optional<int> collect(VerbCall& call, const KernelsOptions& wanted,
                           const KernelClasses& kernels, NeededKernels& needed, Console& console)
{
    for (const std::string& file : wanted.files) {
        call.file() = file;
        const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
        if (opened.entry == nullptr)
            return opened.exitCode;
        if (const Status known =
                requireTensorFlow(*opened.entry->graph, "needs no kernels of TensorFlow");
            !known)
            return failWith(known.error().within(shownPath(file)), console);
        addNeeded(*opened.entry->graph, kernels, needed);
    }
    return {};
}

int runKernels(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    KernelsOptions wanted;
    call.addJson();
    CLI::App& options = call.options();
    options.add_option("FILE", wanted.files, "the graphs to read; the result covers all of them")
        ->required();
    options.add_option("--header", wanted.header,
                       "also write ops_to_register.h for a build with only these kernels; - prints "
                       "it instead of the report");
    options.add_option("--default-ops,--default_ops", wanted.extra,
                       "ops to add, as OP:KERNEL,OP:KERNEL; \"\" adds none");
    if (const auto done = call.parse(arguments))
        return *done;
    if (wanted.header == "-" && call.wantsJson())
        return call.wrongUse("--header - and --json both write to standard output");
    for (const std::string& file : wanted.files)
        if (const std::string why = overwritten(file, wanted.header); !why.empty())
            return call.wrongUse(why);
    const KernelClasses kernels;
    NeededKernels needed;
    if (const auto failure = collect(call, wanted, kernels, needed, console))
        return *failure;
    if (const Status added = addNamedKernels(wanted.extra, needed); !added)
        return call.wrongUse("--default-ops: " + added.error().message);
    if (!wanted.header.empty()) {
        const std::string text = selectiveHeader(needed, "lapidary kernels");
        const int code = writeResult(wanted.header, text, console);
        if (code != exit_code::done)
            return code;
    }
    if (wanted.header != "-") {
        if (call.wantsJson())
            printJson(reportJson(needed, kernels), console);
        else
            printReport(needed, kernels, console);
    }
    return needed.missing.empty() ? exit_code::done : exit_code::found;
}

} // namespace

const Verb verbs::kernels{
    .name = "kernels",
    .synopsis = "kernels FILE...",
    .summary = "Lists the ops and kernels that a TensorFlow build needs to run the given graphs.",
    .example = "lapidary kernels model.pb --header ops_to_register.h",
    .run = runKernels,
    .chapter = "device",
};

} // namespace lapidary
