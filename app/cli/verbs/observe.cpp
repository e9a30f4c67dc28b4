// SPDX-License-Identifier: Apache-2.0
// observe: runs an 8-bit graph on a folder of pictures, and replaces the ranges that it measures in
// each run by constants. The separate steps are insert_logging, evaluate,
// freeze_requantization_ranges and strip_unused_nodes.
#include "app/base/exit_codes.h"
#include "app/cli/graph_output.h"
#include "app/cli/labeling_flags.h"
#include "app/cli/run_flags.h"
#include "app/cli/verb_call.h"
#include "runner/feeds/picture_files.h"
#include "transforms/classify/observe_ranges.h"

#include <array>
#include <ostream>

namespace lapidary {
namespace {

struct ObserveOptions {
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

void addOptions(VerbCall& call, ObserveOptions& wanted)
{
    CLI::App& options = call.options();
    options.add_option("--images", wanted.images, "a folder of pictures")->required();
    call.addOutput("-o,--output", wanted.out,
                   "the file to write (.pb: binary, .pbtxt: text); - for standard output");
    options.add_flag("--output-as-text,--output_as_text", wanted.asText, "write text");
    call.addOutput("--log", wanted.log, "write the ranges of every picture to this file");
    options
        .add_option("--ranges", wanted.ranges,
                    "percentile: leaves out the outermost ranges; min-max: takes the outermost; "
                    "moving-average: later pictures count more")
        ->check(CLI::IsMember({"percentile", "min-max", "moving-average"}))
        ->capture_default_str();
    options
        .add_option("--min-percentile,--min_percentile", wanted.choice.minPercentile,
                    "percentage of the lowest minima to leave out")
        ->capture_default_str();
    options
        .add_option("--max-percentile,--max_percentile", wanted.choice.maxPercentile,
                    "percentage of the highest maxima to leave out")
        ->capture_default_str();
    options
        .add_option("--decay", wanted.decay, "share of the moving average to keep at each picture")
        ->check(CLI::Range(0.0F, 1.0F))
        ->capture_default_str();
    addLabelingOptions(options, wanted.labeling);
    addResourceOptions(options, wanted.run);
}

RangeChoice choiceOf(const ObserveOptions& wanted)
{
    if (wanted.ranges == "min-max")
        return {0, 0, 0};
    RangeChoice choice = wanted.choice;
    choice.movingAverage = wanted.ranges == "moving-average" ? wanted.decay : 0;
    return choice;
}

int report(const RangeObservation& found, const VerbCall& call, Console& console)
{
    const int code = sayUnread(found.unread, console);
    if (!call.wantsJson()) {
        console.err << found.ranges.size() << " ranges of " << found.pictures
                    << (found.pictures == 1 ? " picture\n" : " pictures\n");
        return code;
    }
    Json ranges = Json::array();
    for (const auto& [node, range] : found.ranges)
        ranges.push_back({{"node", node}, {"min", range.min}, {"max", range.max}});
    printJson(
        {{"samples", found.pictures}, {"unread", found.unread}, {"ranges", std::move(ranges)}},
        console);
    return code;
}

int runObserve(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    ObserveOptions wanted;
    call.addFile("a graph that computes in 8 bits");
    call.addJson();
    addOptions(call, wanted);
    if (const auto done = call.parse(arguments))
        return *done;
    if (const Status holds = checkChoice(choiceOf(wanted)); !holds)
        return call.wrongUse(holds.error().message);
    if (wanted.out.empty() && wanted.log.empty() && !call.wantsJson())
        return call.wrongUse("no output is given; pass -o OUT, --log or --json");
    if (wanted.out == "-" && call.wantsJson())
        return call.wrongUse("-o - and --json both write to standard output");
    BoxGrants grants = grantsOf(wanted.run, call.file());
    grants.readable.emplace_back(wanted.images);
    grants.writable = {wanted.out, wanted.log};
    if (const auto outside = startGuarded(wanted.run.guard, grants, console))
        return *outside;
    if (const auto pictures = picturesIn(wanted.images); !pictures)
        return failWith(pictures.error(), console);
    const auto plan = planOf(wanted.run);
    if (!plan)
        return failWith(plan.error(), console);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    if (const Status complete = completeLabeling(wanted.labeling, *opened.entry); !complete)
        return failWith(withLabelingFlags(complete.error()).within(shownPath(call.file())),
                        console);
    const auto found =
        observeRanges(*opened.entry, call.file(), wanted.images,
                      {.labeling = wanted.labeling, .run = *plan, .name = shownPath(call.file())},
                      choiceOf(wanted), console.job);
    if (!found)
        return failWith(found.error().within(shownPath(call.file())), console);
    const auto graph = withRanges(opened.entry->graph, found->ranges, wanted.labeling, console.job);
    if (!graph)
        return failWith(graph.error().within(shownPath(call.file())), console);
    if (!wanted.log.empty())
        if (const int code = writeResult(wanted.log, found->log, console); code != exit_code::done)
            return code;
    if (!wanted.out.empty())
        if (const int code = writeGraph(**graph, wanted.out, wanted.asText, console);
            code != exit_code::done)
            return code;
    return report(*found, call, console);
}

} // namespace

const Verb verbs::observe{
    .name = "observe",
    .synopsis = "observe FILE --images DIR -o OUT",
    .summary =
        "Runs an 8-bit graph on pictures and freezes the ranges that it measures as constants.",
    .example = "lapidary observe model_8bit.pb --images pictures -o frozen.pb",
    .run = runObserve,
    .chapter = "running",
    .runsGraphs = true,
};

} // namespace lapidary
