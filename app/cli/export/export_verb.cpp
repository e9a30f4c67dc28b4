// SPDX-License-Identifier: Apache-2.0
// export: writes what other runtimes load.
#include "app/base/exit_codes.h"
#include "app/cli/export/export_flags.h"
#include "app/cli/size_flags.h"
#include "app/cli/variables.h"
#include "app/cli/verbs.h"
#include "graph_model/graph/dialect.h"
#include "runner/feeds/feed.h"
#include "runner/setup/model_interface.h"
#include "transforms/export/op_page.h"
#include "transforms/export/states_as_ends.h"

#include <ostream>

namespace lapidary {
namespace {

// Takes inputs out that only what was left out reads.
void dropUnread(const Graph& before, const Graph& after, ExportInterface& interface,
                Console& console)
{
    const auto isGone = [&](const std::string& tensor) {
        const std::string_view node = parseInput(tensor).node;
        return before.find(node).isValid() && !after.find(node).isValid();
    };
    for (const std::string& input : interface.inputs)
        if (isGone(input))
            console.complain("the outputs do not need the input " + input);
    std::erase_if(interface.inputs, isGone);
    std::erase_if(interface.shapes, [&](const auto& shape) { return isGone(shape.first); });
}

// A model that keeps values from run to run, with these as inputs and outputs.
Result<GraphEntry> withStatesAsEnds(const OpenedModel& opened, VariableFlags variables,
                                    ExportInterface& interface, Console& console)
{
    ASSIGN_OR_RETURN(GraphEntry entry,
                     frozenIfNeeded(opened, variables, interface.outputs, true, console));
    ASSIGN_OR_RETURN(StatesAsEnds made, statesAsEnds(entry.graph));
    entry.graph = std::move(made.graph);
    for (const StatesAsEnds::State& state : made.states) {
        interface.inputs.push_back(state.input);
        interface.outputs.push_back(state.output);
        console.complain(state.input +
                         " keeps a value from run to run, which no file of a device "
                         "does: it is an input now, and the output " +
                         state.output + " is what the next run is to be given");
    }
    return entry;
}

// The values of variables become constants where they are at hand: a SavedModel is exported as it
// was published. Those that cannot be frozen are refused by their nodes.
Result<GraphEntry> withoutVariables(const OpenedModel& opened, const ExportFlags& flags,
                                    ExportInterface& interface, Console& console)
{
    if (dialectOf(*opened.entry->graph) != Dialect::TensorFlow)
        return *opened.entry;
    VariableFlags variables;
    variables.checkpoint = flags.checkpoint;
    auto frozen = frozenIfNeeded(opened, variables, interface.outputs, true, console);
    if (!frozen && frozen.error().code == ErrorCode::Unsupported) {
        variables.except = changedVariables(opened.entry->graph, interface.outputs, console.job);
        if (!variables.except.empty())
            frozen = withStatesAsEnds(opened, variables, interface, console);
    }
    if (frozen) {
        dropUnread(*opened.entry->graph, *frozen->graph, interface, console);
        return frozen;
    }
    if (console.job.cancelled() || !flags.checkpoint.empty())
        return frozen.error();
    console.complain(shownPath(opened.file->path.string()) + ": " + frozen.error().message);
    return *opened.entry;
}

// A switch without sizes is most often one between training and inference.
Error withAdvice(Error error, const GraphEntry& entry, const Job& job)
{
    if (error.reason == ErrorReason::MissingSize &&
        feedTarget(*entry.graph, withPort(error.subject)).dtype == DType::Bool)
        return {error.code, error.message + "; give the switch a value for good, as with --set " +
                                error.subject + "=false"};
    return withProposedSizes(std::move(error), entry, job);
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    ExportFlags flags;
    addExportOptions(call, flags);
    if (const auto done = call.parse(arguments))
        return *done;
    if (flags.printsReference) {
        console.out << exportOpsPage();
        return exit_code::done;
    }
    if (call.file().empty() || flags.out.empty())
        return call.wrongUse("name the model to export, and the file to write with -o");
    auto plan = exportPlanOf(flags);
    if (!plan)
        return call.wrongUse(plan.error().message);
    if (flags.out == "-" && call.wantsJson())
        return call.wrongUse("-o - and --json both write to standard output");
    if (const auto outside = startGuarded(flags.guard, grantsOf(flags, call.file()), console))
        return *outside;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    auto interface = exportInterfaceOf(flags, *opened.entry);
    if (!interface)
        return failWith(interface.error().within(shownPath(call.file())), console);
    plan->interface = *std::move(interface);
    const auto entry = withoutVariables(opened, flags, plan->interface, console);
    if (!entry)
        return failWith(entry.error().within(shownPath(call.file())), console);
    const auto report = flags.checks ? runCheckedExport(*entry, call.file(), *plan, console.job)
                                     : runExport(entry->graph, *plan, console.job);
    if (!report)
        return failWith(
            withAdvice(report.error().within(shownPath(call.file())), *opened.entry, console.job),
            console);
    if (!report->file) {
        reportRefusals(*report, flags, call, console);
        return exit_code::failed;
    }
    if (const int code = writeResult(flags.out, report->file->source(), console);
        code != exit_code::done)
        return code;
    reportExport(*report, flags, call, console);
    return exit_code::done;
}

} // namespace

const Verb verbs::exportModel{
    .name = "export",
    .summary = "Writes a TFLite or ONNX file, for the runtimes of phones and other devices.",
    .example = "lapidary export model.pb -o model.tflite --inputs input --outputs probabilities",
    .run = run,
    .runsGraphs = true,
};

} // namespace lapidary
