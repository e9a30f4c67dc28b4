// SPDX-License-Identifier: Apache-2.0
// autopilot: finds the recipe that makes a model small and keeps its answers.
#include "app/base/exit_codes.h"
#include "app/cli/graph_output.h"
#include "app/cli/labeling_flags.h"
#include "app/cli/pixel_advice.h"
#include "app/cli/probe_flags.h"
#include "app/cli/reports/autopilot_report.h"
#include "app/cli/run_flags.h"
#include "app/cli/run_progress.h"
#include "app/cli/size_flags.h"
#include "transforms/accuracy/autopilot_task.h"

#include <cmath>
#include <ostream>

namespace lapidary {
namespace {

struct AutopilotFlags {
    ProbeFlags probes;
    std::string budget; // size=3.7x, size=1.2MB, gzip=5x, time=2x
    std::string mostLoss;
    std::optional<double> leastDb;
    std::string images;
    std::string labels;
    std::string truth;
    Labeling labeling;
    double seconds = 60;
    std::vector<std::string> kept;
    std::string out;
    std::string recipe;
};

void addOptions(VerbCall& call, AutopilotFlags& wanted)
{
    CLI::App& options = call.options();
    addProbeOptions(options, wanted.probes);
    options.add_option("--budget", wanted.budget,
                       "size=3.7x: 3.7 times smaller, or at most size=1.2MB, size=500kB; gzip=5x, "
                       "gzip=1MB: the same for the compressed file; time=2x: twice as fast on this "
                       "machine, or time=5ms; default: as small as the loss allows");
    options.add_option("--max-loss", wanted.mostLoss,
                       "the largest share of correct answers to lose, such as 0.5%; the default");
    options.add_option("--min-sqnr", wanted.leastDb, "the least SQNR in dB, instead of --max-loss");
    options.add_option("--images", wanted.images,
                       "a folder of pictures to measure the accuracy on");
    options.add_option("--labels", wanted.labels, "text file with one class per line");
    options.add_option("--truth", wanted.truth,
                       "text file with a line FILE<tab>CLASS for each picture");
    addLabelingOptions(options, wanted.labeling);
    options.add_option(
        "--seconds", wanted.seconds,
        "seconds for the search; layers that it has no time to measure are judged by "
        "their weights; default: 60");
    options.add_option("--keep", wanted.kept,
                       "a layer to keep in float; * and ? are wildcards; a name that matches no "
                       "layer is an error");
    call.addOutput("-o,--output", wanted.out,
                   "the file to write (.pb: binary, .pbtxt: text); - for standard output");
    call.addOutput("--recipe", wanted.recipe, "the file to write the recipe to");
}

Result<std::optional<SizeBudget>> sizeOf(const std::string& budget)
{
    const auto size = parseSizeBudget(budget);
    if (budget.empty() || size)
        return size;
    return Error{ErrorCode::InvalidArgument,
                 "--budget takes size=3.7x, size=1.2MB, size=500kB, gzip=5x, time=2x or time=5ms, "
                 "not '" +
                     budget + "'"};
}

Result<double> lossOf(const std::string& text)
{
    const auto loss = text.empty() ? AutopilotTask().mostLoss : parseLoss(text);
    if (loss)
        return *loss;
    return Error{ErrorCode::InvalidArgument,
                 "--max-loss takes a share, as in 0.5% or 0.005, not '" + text + "'"};
}

// Returns the fault in the flags, as far as it does not depend on the model; empty if there is
// none.
std::string wrongFlags(const AutopilotFlags& wanted, const VerbCall& call)
{
    if (const auto size = sizeOf(wanted.budget); !size)
        return size.error().message;
    if (const auto loss = lossOf(wanted.mostLoss); !loss)
        return loss.error().message;
    if (const auto plan = planOf(wanted.probes); !plan)
        return plan.error().message;
    if (!std::isfinite(wanted.seconds) || wanted.seconds <= 0)
        return "--seconds takes a number above 0";
    if (wanted.leastDb && (!std::isfinite(*wanted.leastDb) || *wanted.leastDb <= 0))
        return "--min-sqnr takes a number of dB above 0, as in 30";
    if (wanted.images.empty() != wanted.labels.empty())
        return "--images and --labels go together";
    if (!wanted.truth.empty() && wanted.labels.empty())
        return "--truth needs --images and --labels";
    if (wanted.leastDb && !wanted.mostLoss.empty())
        return "give --max-loss or --min-sqnr, not both";
    if ((wanted.out == "-") + (wanted.recipe == "-") + call.wantsJson() > 1)
        return "only one of -o -, --recipe - and --json can write to standard output";
    return "";
}

Result<AutopilotTask> taskOf(const AutopilotFlags& wanted, const std::string& path)
{
    AutopilotTask task;
    ASSIGN_OR_RETURN(task.probes, planOf(wanted.probes));
    ASSIGN_OR_RETURN(task.mostLoss, lossOf(wanted.mostLoss));
    ASSIGN_OR_RETURN(task.size, sizeOf(wanted.budget));
    task.leastDb = wanted.leastDb;
    task.seconds = wanted.seconds;
    task.kept = wanted.kept;
    task.inputs = wanted.probes.inputs;
    task.outputs = wanted.probes.outputs;
    task.folder = {wanted.images, wanted.labels, wanted.truth};
    ASSIGN_OR_RETURN(const RunPlan run, planOf(wanted.probes.run));
    task.classify = {wanted.labeling, run, shownPath(path)};
    return task;
}

BoxGrants grantsOf(const AutopilotFlags& wanted, const std::string& model)
{
    BoxGrants grants = grantsOf(wanted.probes.run, model);
    for (const std::string& path :
         {wanted.images, wanted.labels, wanted.truth, wanted.probes.samples})
        grants.readable.emplace_back(path);
    grants.writable = {wanted.out, wanted.recipe};
    return grants;
}

// Writes the file that was run, or its text if the name has the extension of text.
int writePoint(const AutopilotPoint& point, const std::string& out, Console& console)
{
    if (!writesText(out, false))
        return writeResult(out, point.encoded, console);
    const auto read = readModelBytes(point.encoded, out, console.job, ReadOptions{.check = false});
    return read ? writeGraph(*read->graphs.front().graph, out, true, console)
                : failWith(read.error(), console);
}

int writeChosen(const Autopilot& found, const AutopilotFlags& wanted, Console& console)
{
    if (!found.chosen)
        return exit_code::done;
    const AutopilotPoint& point = found.points[*found.chosen];
    if (!wanted.out.empty())
        if (const int code = writePoint(point, wanted.out, console); code != exit_code::done)
            return code;
    if (!wanted.recipe.empty())
        return writeResult(wanted.recipe, printRecipe(point.recipe) + "\n", console);
    return exit_code::done;
}

// A search with pixels that the model does not know would compare wrong answers.
void adviseAbout(const GraphEntry& entry, VerbCall& call, const AutopilotTask& task,
                 Console& console)
{
    if (task.folder.images.empty() || givesPixelRange(call.options()))
        return;
    if (const auto classes = readClasses(task.folder))
        advisePixelRange(entry, call.file(), task.classify, *classes, console);
}

int runAutopilot(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    AutopilotFlags wanted;
    call.addFile("the model to compress");
    call.addJson();
    addOptions(call, wanted);
    if (const auto done = call.parse(arguments))
        return *done;
    if (const std::string wrong = wrongFlags(wanted, call); !wrong.empty())
        return call.wrongUse(wrong);
    if (const auto outside =
            startGuarded(wanted.probes.run.guard, grantsOf(wanted, call.file()), console))
        return *outside;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    auto task = taskOf(wanted, call.file());
    if (!task)
        return failWith(task.error(), console);
    task->mayUseFewerProbes = call.options().count("--probes") == 0;
    adviseAbout(*opened.entry, call, *task, console);
    HearAutopilot hear;
    if (!call.wantsJson() && isTerminal(console))
        hear = [&](const Autopilot& soFar) {
            if (!soFar.points.empty())
                console.err << pointLine(soFar.points.back()) << std::flush;
        };
    const auto found = runAutopilotTask(*opened.entry, call.file(), *task, hear, console.job);
    if (!found)
        return failWith(withProposedSizes(found.error().within(shownPath(call.file())),
                                          *opened.entry, console.job),
                        console);
    const int written = writeChosen(*found, wanted, console);
    // If the disk is full, nothing is lost: the report contains the recipe.
    if (call.wantsJson())
        printJson(autopilotJson(*found), console);
    else
        printAutopilot(*found,
                       wanted.out == "-" || wanted.recipe == "-" ? console.err : console.out);
    if (written != exit_code::done)
        return written;
    if (console.job.cancelled())
        return exit_code::cancelled;
    return found->holdsBudget ? exit_code::done : exit_code::found;
}

} // namespace

const Verb verbs::autopilot{
    .name = "autopilot",
    .synopsis = "autopilot FILE -o OUT",
    .summary =
        "Finds a storage format for each layer that makes the file small and keeps the answers.",
    .example = "lapidary autopilot model.pb --budget size=3.7x -o small.pb",
    .run = runAutopilot,
    .chapter = "accuracy",
    .runsGraphs = true,
};

} // namespace lapidary
