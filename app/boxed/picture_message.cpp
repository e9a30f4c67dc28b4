// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/picture_message.h"

#include "app/boxed/plan_message.h"
#include "runner/guard/machine_memory.h"

#include <utility>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

Message evaluatedMessage(const Evaluated& evaluated)
{
    Message best = Message::array();
    for (const ScoredLabel& one : evaluated.best)
        best.push_back({one.label, one.index, one.score});
    return {{"best", std::move(best)},
            {"top1", evaluated.top1 ? Message(*evaluated.top1) : Message()},
            {"top5", evaluated.top5 ? Message(*evaluated.top5) : Message()},
            {"seconds", evaluated.secondsPerSample},
            {"printed", evaluated.printed}};
}

std::optional<double> shareIn(const Message& message)
{
    return message.is_null() ? std::nullopt : std::optional(message.get<double>());
}

Evaluated evaluatedOf(const Message& message)
{
    Evaluated evaluated;
    for (const Message& one : message.at("best"))
        evaluated.best.push_back({one.at(0), one.at(1), one.at(2)});
    evaluated.top1 = shareIn(message.at("top1"));
    evaluated.top5 = shareIn(message.at("top5"));
    evaluated.secondsPerSample = message.at("seconds");
    evaluated.printed = message.at("printed");
    return evaluated;
}

Classes classesOf(const Message& labels, const Message& samples, const Message& unread)
{
    Classes classes{labels.get<Strings>(), {}, unread.get<Strings>()};
    for (const Message& one : samples)
        classes.samples.push_back({one.at(0), one.at(1), one.at(2)});
    return classes;
}

// Tells whether there is an answer for each picture, as the window assumes.
bool isComplete(const Evaluated& evaluated, const Classes& classes)
{
    return evaluated.best.size() == classes.samples.size();
}

} // namespace

Message messageOf(const PictureFolder& folder)
{
    return {{"images", folder.images}, {"labels", folder.labels}, {"truth", folder.truth}};
}

PictureFolder folderOf(const Message& message)
{
    return {message.at("images"), message.at("labels"), message.at("truth")};
}

Strings filesOf(const ClassifyPlan& plan)
{
    return filesOf(plan.run);
}

Strings filesOf(const PictureFolder& folder)
{
    Strings files;
    for (const std::string& path : {folder.images, folder.labels, folder.truth})
        if (!path.empty())
            files.push_back(path);
    return files;
}

Message messageOf(const ClassifyPlan& plan)
{
    const ImageFeed& feed = plan.labeling.feed;
    return {{"height", feed.height},
            {"width", feed.width},
            {"mean", feed.mean},
            {"std", feed.std},
            {"channels", feed.channels},
            {"input", plan.labeling.input},
            {"output", plan.labeling.output},
            {"run", messageOf(plan.run)},
            {"name", plan.name}};
}

ClassifyPlan classifyPlanOf(const Message& message)
{
    MemoryPool pool(usualMemoryLimit());
    ClassifyPlan plan;
    plan.labeling.feed = {.height = message.at("height"),
                          .width = message.at("width"),
                          .mean = message.at("mean"),
                          .std = message.at("std"),
                          .channels = message.at("channels")};
    plan.labeling.input = message.at("input");
    plan.labeling.output = message.at("output");
    plan.run = runPlanOf(message.at("run"), pool);
    plan.name = message.at("name");
    return plan;
}

// Null for nothing.
Message messageOf(const std::optional<BetterPixels>& better)
{
    if (!better)
        return {};
    return {{"pictures", better->pictures},
            {"taken", better->taken},
            {"share", better->share},
            {"mean", better->scale.mean},
            {"std", better->scale.std}};
}

std::optional<BetterPixels> betterPixelsOf(const Message& message)
{
    if (message.is_null())
        return std::nullopt;
    return BetterPixels{message.at("pictures"),
                        message.at("taken"),
                        message.at("share"),
                        {message.at("mean"), message.at("std")}};
}

Message messageOf(const FolderEvaluation& evaluation)
{
    Message samples = Message::array();
    for (const Sample& one : evaluation.classes.samples)
        samples.push_back({one.path, one.file, one.truth});
    return {{"labels", evaluation.classes.labels},
            {"samples", std::move(samples)},
            {"unread", evaluation.classes.unread},
            {"first", evaluatedMessage(evaluation.first)},
            {"better", messageOf(evaluation.better)},
            {"other", evaluation.other ? evaluatedMessage(*evaluation.other) : Message()}};
}

FolderEvaluation evaluationOf(const Message& message)
{
    FolderEvaluation evaluation;
    evaluation.classes =
        classesOf(message.at("labels"), message.at("samples"), message.at("unread"));
    evaluation.first = evaluatedOf(message.at("first"));
    evaluation.better = betterPixelsOf(message.at("better"));
    if (!message.at("other").is_null())
        evaluation.other = evaluatedOf(message.at("other"));
    if (!isComplete(evaluation.first, evaluation.classes) ||
        (evaluation.other && !isComplete(*evaluation.other, evaluation.classes)))
        return {};
    return evaluation;
}

Message messageOf(const RangeObservation& observation)
{
    Message ranges = Message::array();
    for (const auto& [node, range] : observation.ranges)
        ranges.push_back({node, range.min, range.max});
    return {{"log", observation.log},
            {"pictures", observation.pictures},
            {"unread", observation.unread},
            {"ranges", std::move(ranges)}};
}

RangeObservation observationOf(const Message& message)
{
    RangeObservation observation;
    observation.log = message.at("log");
    observation.pictures = message.at("pictures");
    observation.unread = message.at("unread").get<Strings>();
    for (const Message& one : message.at("ranges"))
        observation.ranges[one.at(0).get<std::string>()] = {one.at(1), one.at(2)};
    return observation;
}

} // namespace lapidary
