// SPDX-License-Identifier: Apache-2.0
// autopilot: finds the recipe that makes a model small and keeps its answers.
#include "transforms/accuracy/autopilot.h"

#include "app/base/exit_codes.h"
#include "app/cli/autopilot_report.h"
#include "app/cli/graph_output.h"
#include "app/cli/labeling_flags.h"
#include "app/cli/probe_flags.h"
#include "app/cli/run_flags.h"
#include "app/cli/run_progress.h"
#include "app/cli/size_flags.h"
#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"
#include "transforms/classify/evaluate_folder.h"
#include "transforms/pass/number_values.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace lapidary {
namespace {

struct AutopilotFlags {
    ProbeFlags probes;
    std::string budget; // size=3.7x, size=1.2MB, gzip=5x
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
                       "size=3.7x: so many times smaller, or size=1.2MB, size=500kB; gzip=5x, "
                       "gzip=1MB: the same of the compressed file; default: as small as the loss "
                       "allows");
    options.add_option("--max-loss", wanted.mostLoss,
                       "the share of right answers that may be lost, as in 0.5%; the default");
    options.add_option("--min-sqnr", wanted.leastDb, "instead: the least SQNR in dB");
    options.add_option("--images", wanted.images, "a folder of pictures to count answers on");
    options.add_option("--labels", wanted.labels, "text file with one class a line");
    options.add_option("--truth", wanted.truth,
                       "text file with a line FILE tab CLASS for each picture");
    addLabelingOptions(options, wanted.labeling);
    options.add_option("--seconds", wanted.seconds,
                       "no file is begun that would be ready later; layers that there is no time "
                       "to measure are judged by their weights; default: 60");
    options.add_option(
        "--keep", wanted.kept,
        "a layer that stays in float; * and ? stand for any characters; a name that is "
        "no layer's is an error");
    call.addOutput("-o,--output", wanted.out,
                   "the file to write (.pb: binary, .pbtxt: text); - for standard output");
    call.addOutput("--recipe", wanted.recipe, "the file to write the recipe to");
}

// A number with a unit behind it.
std::optional<double> amount(std::string_view text, std::string_view unit)
{
    if (!text.ends_with(unit))
        return {};
    const auto number = floatValue(text.substr(0, text.size() - unit.size()));
    if (!number || !std::isfinite(*number) || *number <= 0)
        return {};
    return double(*number);
}

// The bytes that the budget leaves of so many.
Result<std::optional<std::int64_t>> mostBytes(const std::string& budget, std::int64_t bytes)
{
    constexpr std::size_t stem = 5; // "size=", "gzip="
    if (budget.empty())
        return std::optional<std::int64_t>();
    const bool isKnown = budget.starts_with("size=") || budget.starts_with("gzip=");
    const std::string_view size = std::string_view(budget).substr(isKnown ? stem : budget.size());
    if (const auto times = amount(size, "x"); times && *times >= 1)
        return std::optional(std::int64_t(double(bytes) / *times));
    for (const auto& [unit, factor] :
         {std::pair("MB", 1e6), std::pair("kB", 1e3), std::pair("B", 1.0)})
        if (const auto number = amount(size, unit))
            return std::optional(std::int64_t(*number * factor));
    return Error{ErrorCode::InvalidArgument,
                 "--budget takes size=3.7x, size=1.2MB, size=500kB or gzip=5x, not '" + budget +
                     "'"};
}

Result<double> lossOf(const std::string& text)
{
    constexpr double usual = 0.005;
    if (text.empty())
        return usual;
    const auto percent = amount(text, "%");
    const auto share = amount(text, "");
    if (percent && *percent <= 100)
        return *percent / 100;
    if (share && *share <= 1)
        return *share;
    if (text == "0" || text == "0%")
        return 0.0;
    return Error{ErrorCode::InvalidArgument,
                 "--max-loss takes a share, as in 0.5% or 0.005, not '" + text + "'"};
}

// Returns what is wrong with flags that say nothing about the model; empty: nothing.
std::string wrongFlags(const AutopilotFlags& wanted, const VerbCall& call)
{
    if (const auto bytes = mostBytes(wanted.budget, 1); !bytes)
        return bytes.error().message;
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

// Counts right answers on labeled pictures.
Result<std::function<Result<double>(const GraphEntry&, const Job&)>>
counter(const AutopilotFlags& wanted, const std::string& path)
{
    ASSIGN_OR_RETURN(auto classes, readClasses({wanted.images, wanted.labels, wanted.truth}));
    ASSIGN_OR_RETURN(const RunPlan run, planOf(wanted.probes.run));
    return std::function<Result<double>(const GraphEntry&, const Job&)>(
        [path, plan = ClassifyPlan{wanted.labeling, run, shownPath(path)},
         classes = std::move(classes)](const GraphEntry& entry, const Job& job) -> Result<double> {
            ASSIGN_OR_RETURN(const Evaluated evaluated,
                             evaluateGraph(entry, path, plan, classes, job));
            return evaluated.top1.value_or(0);
        });
}

Result<AutopilotOptions> optionsOf(const AutopilotFlags& wanted, const GraphEntry& entry,
                                   const std::string& path, const Job& job)
{
    AutopilotOptions options;
    ASSIGN_OR_RETURN(options.probes, planOf(wanted.probes));
    ASSIGN_OR_RETURN(options.mostLoss, lossOf(wanted.mostLoss));
    const std::string encoded = encodeGraphDef(*entry.graph);
    if (wanted.budget.starts_with("gzip=")) {
        ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(encoded, job));
        ASSIGN_OR_RETURN(options.mostGzipBytes, mostBytes(wanted.budget, std::int64_t(compressed)));
    } else {
        ASSIGN_OR_RETURN(options.mostBytes, mostBytes(wanted.budget, std::int64_t(encoded.size())));
    }
    options.leastDb = wanted.leastDb;
    options.seconds = wanted.seconds;
    options.kept = wanted.kept;
    if (!wanted.images.empty()) {
        ASSIGN_OR_RETURN(options.top1, counter(wanted, path));
    }
    return options;
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

// The file that was run, or its text where the name asks for that.
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

int runAutopilot(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    AutopilotFlags wanted;
    call.addFile("the model to make smaller");
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
    auto options = optionsOf(wanted, *opened.entry, call.file(), console.job);
    if (!options)
        return failWith(options.error(), console);
    options->mayUseFewerProbes = call.options().count("--probes") == 0;
    if (!call.wantsJson() && isTerminal(console))
        options->onPoint = [&](const AutopilotPoint& point) {
            console.err << pointLine(point) << std::flush;
        };
    const auto found = runAutopilot(*opened.entry, call.file(), wanted.probes.inputs,
                                    wanted.probes.outputs, *options, console.job);
    if (!found)
        return failWith(withProposedSizes(found.error().within(shownPath(call.file())),
                                          *opened.entry, console.job),
                        console);
    if (const int code = writeChosen(*found, wanted, console); code != exit_code::done)
        return code;
    if (call.wantsJson())
        printJson(autopilotJson(*found), console);
    else
        printAutopilot(*found,
                       wanted.out == "-" || wanted.recipe == "-" ? console.err : console.out);
    if (console.job.cancelled())
        return exit_code::cancelled;
    return found->holdsBudget ? exit_code::done : exit_code::found;
}

} // namespace

const Verb verbs::autopilot{
    .name = "autopilot",
    .summary = "Finds how to store each layer so that the file is small and answers stay.",
    .example = "lapidary autopilot model.pb --budget size=3.7x -o small.pb",
    .run = runAutopilot,
    .runsGraphs = true,
};

} // namespace lapidary
