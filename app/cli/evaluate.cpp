// SPDX-License-Identifier: Apache-2.0
// evaluate: how often a classifier is right, and how often another graph agrees with it.
#include "app/base/exit_codes.h"
#include "app/cli/labeling_flags.h"
#include "app/cli/run_flags.h"
#include "app/cli/verb_call.h"
#include "transforms/classify/evaluate_folder.h"

#include <cstdio>
#include <optional>
#include <ostream>

namespace lapidary {
namespace {

struct Wishes {
    PictureFolder folder;
    std::string against;
    Labeling labeling;
    RunFlags run;
};

void addOptions(VerbCall& call, Wishes& wishes)
{
    CLI::App& options = call.options();
    options.add_option("--images", wishes.folder.images, "a folder of pictures")->required();
    options.add_option("--labels", wishes.folder.labels,
                       "text file with one class a line; needed but with --against");
    options.add_option("--truth", wishes.folder.truth,
                       "text file with a line FILE tab CLASS for each picture; else the class is "
                       "the part of the file's name behind the first _");
    options.add_option("--against", wishes.against,
                       "another graph, evaluated on the same pictures");
    addLabelingOptions(options, wishes.labeling);
    addResourceOptions(options, wishes.run);
}

ClassifyPlan classifyPlan(const Wishes& wishes, const std::string& path, const RunPlan& run)
{
    return {.labeling = wishes.labeling, .run = run, .name = shownPath(path)};
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

void print(const Evaluated& first, const Evaluated* other, const Wishes& wishes,
           const std::string& path, std::ostream& out)
{
    out << first.best.size() << " samples\n" << line(path, first);
    if (other == nullptr)
        return;
    char text[60];
    std::snprintf(text, sizeof text, "they agree on %.2f %%\n", agreement(first, *other) * 100);
    out << line(wishes.against, *other) << text;
}

BoxGrants grantsOf(const Wishes& wishes, const std::string& model)
{
    BoxGrants grants = grantsOf(wishes.run, model);
    if (!wishes.against.empty())
        grantModel(wishes.against, grants);
    for (const std::string& path :
         {wishes.folder.images, wishes.folder.labels, wishes.folder.truth})
        grants.readable.emplace_back(path);
    return grants;
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    Wishes wishes;
    call.addFile("the classifier");
    call.addJson();
    addOptions(call, wishes);
    if (const auto done = call.parse(arguments))
        return *done;
    if (wishes.folder.labels.empty() && (wishes.against.empty() || !wishes.folder.truth.empty()))
        return call.wrongUse(wishes.folder.truth.empty()
                                 ? "give --labels, or --against to compare with another graph"
                                 : "--truth needs --labels, the list of all classes");
    if (const auto outside = startGuarded(wishes.run.guard, grantsOf(wishes, call.file()), console))
        return *outside;
    auto classes = readClasses(wishes.folder);
    if (!classes)
        return failWith(classes.error(), console);
    const auto plan = planOf(wishes.run);
    if (!plan)
        return failWith(plan.error(), console);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto first =
        evaluateGraph(*opened.entry, call.file(), classifyPlan(wishes, call.file(), *plan),
                      *classes, console.job);
    if (!first)
        return failWith(withLabelingFlags(first.error()), console);
    console.err << first->printed;
    leaveOut(*classes, first->unread);
    const int code = sayUnread(classes->unread, console);
    std::optional<Evaluated> other;
    if (!wishes.against.empty()) {
        int exitCode = 0;
        const auto model =
            readNamed(wishes.against, ReadOptions{.check = false}, console, exitCode);
        if (!model)
            return exitCode;
        if (model->isRefused()) {
            console.complain(wishes.against + ": no graph can be read from it");
            return exit_code::failed;
        }
        auto evaluated =
            evaluateGraph(model->graphs.front(), wishes.against,
                          classifyPlan(wishes, wishes.against, *plan), *classes, console.job);
        if (!evaluated)
            return failWith(withLabelingFlags(evaluated.error()), console);
        if (const Status read = allRead(*evaluated); !read)
            return failWith(read.error(), console);
        other = *std::move(evaluated);
    }
    const Evaluated* const second = other ? &*other : nullptr;
    if (!call.wantsJson()) {
        print(*first, second, wishes, call.file(), console.out);
        return code;
    }
    Json json = {{"samples", classes->samples.size()}, {"unread", classes->unread}};
    json.update(figures(*first));
    json["agreement"] = second != nullptr ? Json(agreement(*first, *second)) : Json(nullptr);
    if (second != nullptr)
        json["against"] = figures(*second);
    json["pictures"] = picturesJson(*classes, *first, second);
    printJson(json, console);
    return code;
}

} // namespace

const Verb verbs::evaluate{
    .name = "evaluate",
    .summary = "Says how often a classifier is right on pictures, or agrees with another one.",
    .example = "lapidary evaluate model.pb --images pictures --labels labels.txt",
    .run = run,
    .runsGraphs = true,
};

} // namespace lapidary
