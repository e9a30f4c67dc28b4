// SPDX-License-Identifier: Apache-2.0
// export: writes models for other runtimes.
#include "app/base/exit_codes.h"
#include "app/cli/export/export_flags.h"
#include "app/cli/size_flags.h"
#include "app/cli/verb_list.h"
#include "runner/feeds/feed.h"
#include "runner/setup/model_interface.h"
#include "transforms/export/lower/op_page.h"
#include "transforms/export/without_variables.h"

#include <ostream>

namespace lapidary {
namespace {

// Adds advice to an error for an unknown size: an input that controls training needs a value and no
// size, and so does a switch, which usually controls training.
Error withAdvice(Error error, const GraphEntry& entry, const Job& job)
{
    if (error.reason != ErrorReason::MissingSize)
        return error;
    const FeedTarget input = feedTarget(*entry.graph, withPort(error.subject));
    const auto setting = settingAsFlag(*entry.graph, input);
    if (!setting && input.dtype != DType::Bool)
        return withProposedSizes(std::move(error), entry, job);
    return {error.code, error.message +
                            (setting ? "; it is " + std::string(setting->reason) + ": set it"
                                     : "; set the switch") +
                            " to a constant, as with --set " + error.subject + "=" +
                            (setting ? setting->value : "false")};
}

int runExportModel(const Verb& verb, std::span<const std::string> arguments, Console& console)
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
    auto interface = exportInterfaceOf(flags, *opened.entry, console);
    if (!interface)
        return failWith(interface.error().within(shownPath(call.file())), console);
    plan->interface = *std::move(interface);
    const auto start = withoutVariables(*opened.entry, {opened.file->path, flags.checkpoint},
                                        plan->interface, console.job);
    if (!start)
        return failWith(start.error().within(shownPath(call.file())), console);
    for (const std::string& note : start->notes)
        console.complain(shownPath(call.file()) + ": " + note +
                         (start->lacksCheckpoint ? "; name it with --checkpoint" : ""));
    const GraphEntry& entry = start->entry;
    const auto report = flags.checks ? runCheckedExport(entry, call.file(), *plan, console.job)
                                     : runExport(entry, *plan, console.job);
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
    .synopsis = "export FILE -o OUT",
    .summary = "Writes a TFLite or ONNX file, for the runtimes of phones and other devices.",
    .example = "lapidary export model.pb -o model.tflite --inputs input --outputs probabilities",
    .run = runExportModel,
    .chapter = "devices",
    .runsGraphs = true,
};

} // namespace lapidary
