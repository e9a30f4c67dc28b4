// SPDX-License-Identifier: Apache-2.0
// evaluate: counts the right answers of a classifier, and how often another graph agrees with it.
#include "app/base/exit_codes.h"
#include "app/cli/labeling_flags.h"
#include "app/cli/pixel_advice.h"
#include "app/cli/run_flags.h"
#include "app/cli/verb_call.h"
#include "transforms/classify/evaluate_folder.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <ostream>

namespace lapidary {
namespace {

struct EvaluateOptions {
    PictureFolder folder;
    std::string against;
    Labeling labeling;
    RunFlags run;
};

void addOptions(VerbCall& call, EvaluateOptions& wanted)
{
    CLI::App& options = call.options();
    options.add_option("--images", wanted.folder.images, "a folder of pictures")->required();
    options.add_option("--labels", wanted.folder.labels,
                       "text file with one class per line; required without --against");
    options.add_option("--truth", wanted.folder.truth,
                       "text file with a line FILE<tab>CLASS for each picture; default: the class "
                       "is what follows the first _ in the file name");
    options.add_option("--against", wanted.against,
                       "another graph, evaluated on the same pictures");
    addLabelingOptions(options, wanted.labeling);
    addFeedOptions(options, wanted.run, "training switches are set for inference");
}

ClassifyPlan classifyPlan(const EvaluateOptions& wanted, const std::string& path,
                          const RunPlan& run)
{
    ClassifyPlan plan{.labeling = wanted.labeling, .run = run, .name = shownPath(path)};
    const auto isForAll = [](const std::string& feed) { return feed.find('=') == feed.npos; };
    if (std::ranges::any_of(wanted.run.feeds, isForAll))
        plan.rest = run.otherInputs;
    return plan;
}

// Returns the feeds for both graphs, without inputs that only the first one has, such as the switch
// of a dropout that was removed.
ClassifyPlan planWithin(const Graph& graph, ClassifyPlan plan)
{
    const auto isMissing = [&](const std::string& tensor) {
        return !graph.find(parseInput(tensor).node).isValid();
    };
    std::erase_if(plan.run.feeds, [&](const auto& feed) { return isMissing(feed.tensor); });
    std::erase_if(plan.run.shapes, [&](const auto& shape) { return isMissing(shape.first); });
    return plan;
}

Json shareJson(const std::optional<double>& share)
{
    return share ? Json(*share) : Json(nullptr);
}

Json figures(const Evaluated& evaluated)
{
    return {{"top1", shareJson(evaluated.top1)},
            {"top5", shareJson(evaluated.top5)},
            {"seconds_per_sample", evaluated.secondsPerSample}};
}

Json picturesJson(const Classes& classes, const Evaluated& first, const Evaluated* other)
{
    const auto& [labels, samples, unread] = classes;
    Json pictures = Json::array();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        pictures.push_back(
            {{"file", samples[i].file},
             {"truth",
              samples[i].truth < 0 ? Json(nullptr) : Json(labels[std::size_t(samples[i].truth)])},
             {"label", first.best[i].label},
             {"index", first.best[i].index},
             {"score", first.best[i].score}});
        if (other != nullptr)
            pictures.back()["against"] = {{"label", other->best[i].label},
                                          {"index", other->best[i].index},
                                          {"score", other->best[i].score}};
    }
    return pictures;
}

std::string line(const std::string& name, const Evaluated& evaluated)
{
    char text[120] = "";
    if (evaluated.top1 && evaluated.top5)
        std::snprintf(text, sizeof text, "  top-1 %6.2f %%  top-5 %6.2f %%", *evaluated.top1 * 100,
                      *evaluated.top5 * 100);
    char time[60];
    std::snprintf(time, sizeof time, "  %9.3f ms a sample\n", evaluated.secondsPerSample * 1e3);
    return shownPath(name) + text + time;
}

void print(const Evaluated& first, const Evaluated* other, const EvaluateOptions& wanted,
           const std::string& path, std::ostream& out)
{
    out << first.best.size() << " samples\n" << line(path, first);
    if (other == nullptr)
        return;
    char text[60];
    std::snprintf(text, sizeof text, "they agree on %.2f %%\n", agreement(first, *other) * 100);
    out << line(wanted.against, *other) << text;
}

BoxGrants grantsOf(const EvaluateOptions& wanted, const std::string& model)
{
    BoxGrants grants = grantsOf(wanted.run, model);
    if (!wanted.against.empty())
        grantModel(wanted.against, grants);
    for (const std::string& path :
         {wanted.folder.images, wanted.folder.labels, wanted.folder.truth})
        grants.readable.emplace_back(path);
    return grants;
}

// Evaluates the graph of --against; fails if it cannot read a picture that the first graph could.
Result<Evaluated> evaluateAgainst(const GraphEntry& entry, const EvaluateOptions& wanted,
                                  const RunPlan& run, const Classes& classes, const Job& job)
{
    ASSIGN_OR_RETURN(
        Evaluated evaluated,
        evaluateGraph(entry, wanted.against,
                      planWithin(*entry.graph, classifyPlan(wanted, wanted.against, run)), classes,
                      job));
    RETURN_IF_ERROR(allRead(evaluated));
    return evaluated;
}

// Reads and evaluates the graph of --against. Returns nothing if that failed, and was reported.
std::optional<Evaluated> otherGraph(const EvaluateOptions& wanted, const RunPlan& run,
                                    const Classes& classes, Console& console, int& exitCode)
{
    const auto model = readNamed(wanted.against, ReadOptions{.check = false}, console, exitCode);
    if (!model)
        return std::nullopt;
    if (model->isRefused()) {
        console.complain(wanted.against + ": no graph can be read from it");
        exitCode = exit_code::failed;
        return std::nullopt;
    }
    auto evaluated =
        evaluateAgainst(model->graphs[model->usualGraph()], wanted, run, classes, console.job);
    if (evaluated)
        return *std::move(evaluated);
    exitCode = failWith(withLabelingFlags(evaluated.error()), console);
    return std::nullopt;
}

void printFigures(const Evaluated& first, const Evaluated* second, const Classes& classes,
                  Console& console)
{
    Json json = {{"samples", classes.samples.size()}, {"unread", classes.unread}};
    json.update(figures(first));
    json["agreement"] = second != nullptr ? Json(agreement(first, *second)) : Json(nullptr);
    if (second != nullptr)
        json["against"] = figures(*second);
    json["pictures"] = picturesJson(classes, first, second);
    printJson(json, console);
}

int runEvaluate(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    EvaluateOptions wanted;
    call.addFile("the classifier");
    call.addJson();
    addOptions(call, wanted);
    if (const auto done = call.parse(arguments))
        return *done;
    if (wanted.folder.labels.empty() && (wanted.against.empty() || !wanted.folder.truth.empty()))
        return call.wrongUse(wanted.folder.truth.empty()
                                 ? "give --labels, or --against to compare with another graph"
                                 : "--truth needs --labels, the list of all classes");
    if (const auto outside = startGuarded(wanted.run.guard, grantsOf(wanted, call.file()), console))
        return *outside;
    auto classes = readClasses(wanted.folder);
    if (!classes)
        return failWith(classes.error(), console);
    const auto plan = planOf(wanted.run);
    if (!plan)
        return failWith(plan.error(), console);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto first =
        evaluateGraph(*opened.entry, call.file(), classifyPlan(wanted, call.file(), *plan),
                      *classes, console.job);
    if (!first)
        return failWith(withLabelingFlags(first.error()), console);
    console.err << first->printed;
    leaveOut(*classes, first->unread);
    const int code = sayUnread(classes->unread, console);
    if (!givesPixelRange(call.options()) && first->top1 && *first->top1 < 1)
        advisePixelRange(*opened.entry, call.file(), classifyPlan(wanted, call.file(), *plan),
                         *classes, console);
    std::optional<Evaluated> other;
    if (!wanted.against.empty()) {
        int exitCode = 0;
        other = otherGraph(wanted, *plan, *classes, console, exitCode);
        if (!other)
            return exitCode;
    }
    const Evaluated* const second = other ? &*other : nullptr;
    if (call.wantsJson())
        printFigures(*first, second, *classes, console);
    else
        print(*first, second, wanted, call.file(), console.out);
    return code;
}

} // namespace

const Verb verbs::evaluate{
    .name = "evaluate",
    .synopsis = "evaluate FILE --images DIR --labels FILE",
    .summary =
        "Measures the accuracy of a classifier on pictures, or its agreement with another one.",
    .example = "lapidary evaluate model.pb --images pictures --labels labels.txt",
    .run = runEvaluate,
    .chapter = "running",
    .runsGraphs = true,
};

} // namespace lapidary
