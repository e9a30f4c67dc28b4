// SPDX-License-Identifier: Apache-2.0
// observe: an 8-bit graph is run over a folder of pictures, and the ranges that it measured each
// time are replaced by constants. The same in steps: insert_logging, evaluate,
// freeze_requantization_ranges and strip_unused_nodes.
#include "app/cli/observe.h"

#include "app/base/exit_codes.h"
#include "app/cli/evaluation.h"
#include "app/cli/graph_output.h"
#include "app/cli/run_flags.h"
#include "app/cli/verb_call.h"
#include "runner/feeds/picture_files.h"
#include "runner/setup/prepare_run.h"
#include "transforms/quantize/freeze_ranges.h"
#include "transforms/recipe/run_recipe.h"

#include <array>
#include <filesystem>
#include <ostream>

namespace lapidary {
namespace {

struct Wishes {
    std::string images;
    std::string out;
    std::string log;
    std::string ranges = "percentile";
    RangeChoice choice;
    float decay = 0.9F;
    bool asText = false;
    Labeling labeling;
    RunFlags run;
};

void addOptions(VerbCall& call, Wishes& wishes)
{
    CLI::App& options = call.options();
    options.add_option("--images", wishes.images, "a folder of pictures")->required();
    options.add_option("-o,--output", wishes.out,
                       "the file to write (.pb: binary, .pbtxt: text); - for standard output");
    options.add_flag("--output-as-text,--output_as_text", wishes.asText, "write text");
    options.add_option("--log", wishes.log, "keep every range of every picture in this file");
    options
        .add_option("--ranges", wishes.ranges,
                    "percentile: all but the outermost; min-max: the outermost; moving-average: "
                    "later pictures count more")
        ->check(CLI::IsMember({"percentile", "min-max", "moving-average"}))
        ->capture_default_str();
    options
        .add_option("--min-percentile,--min_percentile", wishes.choice.minPercentile,
                    "percent of the lowest minima that are left out")
        ->capture_default_str();
    options
        .add_option("--max-percentile,--max_percentile", wishes.choice.maxPercentile,
                    "percent of the highest maxima that are left out")
        ->capture_default_str();
    options
        .add_option("--decay", wishes.decay,
                    "what the moving average keeps of itself with each picture")
        ->check(CLI::Range(0.0F, 1.0F))
        ->capture_default_str();
    addLabelingOptions(options, wishes.labeling);
    addResourceOptions(options, wishes.run);
}

RangeChoice choiceOf(const Wishes& wishes)
{
    if (wishes.ranges == "min-max")
        return {0, 0, 0};
    RangeChoice choice = wishes.choice;
    choice.movingAverage = wishes.ranges == "moving-average" ? wishes.decay : 0;
    return choice;
}

std::string nodeOf(const std::string& tensor)
{
    return tensor.substr(0, tensor.find(':'));
}

Result<GraphPtr> transformed(const GraphPtr& graph, const std::string& recipe,
                             const Labeling& labeling, const Job& job)
{
    ASSIGN_OR_RETURN(const auto steps, parseRecipe(recipe, RecipeSyntax::Strict));
    const RecipeRun run =
        runRecipe(graph, steps, {nodeOf(labeling.input)}, {nodeOf(labeling.output)}, job);
    if (!run.ok())
        return Error{run.faultCode, run.fault};
    return run.result(graph);
}

// Returns what the graph prints while it runs over all pictures.
Result<std::string> logOf(const GraphEntry& entry, const std::string& path, const Wishes& wishes,
                          const std::vector<std::string>& pictures, const Job& job)
{
    ASSIGN_OR_RETURN(const RunPlan plan, pictureRunPlan(wishes.run, wishes.labeling));
    ASSIGN_OR_RETURN(auto prepared, prepareRun(entry, path, plan, job));
    Session& session = prepared.session;
    Labeling labeling = wishes.labeling;
    std::string log;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        labeling.image = (std::filesystem::path(wishes.images) / pictures[i]).string();
        ASSIGN_OR_RETURN(auto image, readImage(labeling, session, job));
        RunRequest request;
        request.feeds.emplace_back(labeling.input, std::move(image));
        request.fetches.push_back(labeling.output);
        RETURN_IF_ERROR(session.run(request, job));
        log += session.printed();
        job.progress(double(i + 1) / double(pictures.size()));
    }
    return log;
}

struct Observed {
    GraphPtr graph;
    std::string log;
    FrozenRanges ranges;
};

Result<Observed> observe(const GraphEntry& entry, const std::string& path, const Wishes& wishes,
                         const std::vector<std::string>& pictures, const Job& job)
{
    GraphEntry logged = entry;
    ASSIGN_OR_RETURN(auto printing, transformed(entry.graph,
                                                "insert_logging(op=RequantizationRange, "
                                                "show_name=true, message=\"__requant_min_max:\")",
                                                wishes.labeling, job));
    logged.graph = printing;
    ASSIGN_OR_RETURN(auto log, logOf(logged, path, wishes, pictures, job));
    Observed found{.graph = nullptr, .log = std::move(log), .ranges = {}};
    found.ranges = frozenRanges(parseRangeLog(found.log), choiceOf(wishes));
    if (found.ranges.empty())
        return Error{ErrorCode::InvalidArgument,
                     "measures no ranges on the way to " + wishes.labeling.output +
                         "; a graph that does is made with 'lapidary transform --preset arm-8bit'"};
    ASSIGN_OR_RETURN(auto frozen, freezeRanges(entry.graph, found.ranges,
                                               {.inputs = {nodeOf(wishes.labeling.input)},
                                                .outputs = {nodeOf(wishes.labeling.output)},
                                                .parameters = {}}));
    ASSIGN_OR_RETURN(auto stripped,
                     transformed(frozen.graph, "strip_unused_nodes", wishes.labeling, job));
    found.graph = std::move(stripped);
    return found;
}

int report(const Observed& found, std::size_t samples, const VerbCall& call, Console& console)
{
    if (!call.wantsJson()) {
        console.err << found.ranges.size() << " ranges of " << samples << " pictures\n";
        return exit_code::done;
    }
    Json ranges = Json::array();
    for (const auto& [node, range] : found.ranges)
        ranges.push_back({{"node", node}, {"min", range.min}, {"max", range.max}});
    printJson({{"samples", samples}, {"ranges", std::move(ranges)}}, console);
    return exit_code::done;
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    Wishes wishes;
    call.addFile("a graph that computes in 8 bits");
    call.addJson();
    addOptions(call, wishes);
    if (const auto done = call.parse(arguments))
        return *done;
    if (const Status holds = checkChoice(choiceOf(wishes)); !holds)
        return call.wrongUse(holds.error().message);
    if (wishes.out.empty() && wishes.log.empty() && !call.wantsJson())
        return call.wrongUse("there is nowhere to write to; give -o OUT, --log or --json");
    if (wishes.out == "-" && call.wantsJson())
        return call.wrongUse("-o - and --json both write to standard output");
    if (const std::string why = overwritten(call.file(), wishes.out); !why.empty())
        return call.wrongUse(why);
    BoxGrants grants = grantsOf(wishes.run, call.file());
    grants.readable.emplace_back(wishes.images);
    grants.writable = {wishes.out, wishes.log};
    if (const auto outside = startGuarded(wishes.run.guard, grants, console))
        return *outside;
    const auto pictures = picturesIn(wishes.images);
    if (!pictures)
        return failWith(pictures.error(), console);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    if (const Status complete = completeLabeling(wishes.labeling, *opened.entry); !complete)
        return failWith(
            {complete.error().code, shownPath(call.file()) + " " + complete.error().message},
            console);
    const auto found = observe(*opened.entry, call.file(), wishes, *pictures, console.job);
    if (!found)
        return failWith(found.error().within(shownPath(call.file())), console);
    if (!wishes.log.empty())
        if (const int code = writeResult(wishes.log, found->log, console); code != exit_code::done)
            return code;
    if (!wishes.out.empty())
        if (const int code = writeGraph(*found->graph, wishes.out, wishes.asText, console);
            code != exit_code::done)
            return code;
    return report(*found, pictures->size(), call, console);
}

} // namespace

const Verb verbs::observe{
    .name = "observe",
    .summary = "Runs an 8-bit graph over pictures and makes the ranges that it measures constants.",
    .example = "lapidary observe model_8bit.pb --images pictures -o frozen.pb",
    .run = run,
    .runsGraphs = true,
};

} // namespace lapidary
