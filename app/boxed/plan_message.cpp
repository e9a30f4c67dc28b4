// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/plan_message.h"

#include "app/boxed/value_message.h"

#include <utility>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

// The names of the kinds of source in a message.
constexpr const char* constant = "constant";
constexpr const char* random = "random";
constexpr const char* file = "file";
constexpr const char* picture = "picture";
constexpr const char* written = "written";
constexpr const char* given = "value";
constexpr const char* later = "later";

Message messageOf(const PictureFeed& feed)
{
    return {{"kind", picture},
            {"path", feed.path},
            {"mean", feed.mean},
            {"std", feed.std},
            {"means", feed.means ? Message(*feed.means) : Message()},
            {"bgr", feed.isBgr}};
}

PictureFeed pictureOf(const Message& message)
{
    PictureFeed feed{.path = message.at("path"),
                     .mean = message.at("mean"),
                     .std = message.at("std"),
                     .means = {},
                     .isBgr = message.at("bgr")};
    if (!message.at("means").is_null())
        feed.means = message.at("means").get<std::array<float, 3>>();
    return feed;
}

struct SourceMessage {
    Message operator()(const ConstantFeed& feed) const
    {
        return {{"kind", constant}, {"number", feed.number}};
    }
    Message operator()(const RandomFeed& feed) const
    {
        Message message = {{"kind", random}, {"seed", feed.seed}};
        if (feed.range) {
            message["low"] = feed.range->low;
            message["high"] = feed.range->high;
        }
        return message;
    }
    Message operator()(const FileFeed& feed) const { return {{"kind", file}, {"path", feed.path}}; }
    Message operator()(const PictureFeed& feed) const { return messageOf(feed); }
    Message operator()(const WrittenFeed& feed) const
    {
        return {{"kind", written}, {"text", feed.text}};
    }
    Message operator()(const Value& value) const
    {
        return {{"kind", given}, {"value", lapidary::messageOf(value)}};
    }
    Message operator()(const FedLater& /*feed*/) const { return {{"kind", later}}; }
};

FeedSource sourceOf(const Message& message, MemoryPool& pool)
{
    const auto kind = message.at("kind").get<std::string>();
    if (kind == constant)
        return ConstantFeed{message.at("number")};
    if (kind == file)
        return FileFeed{message.at("path")};
    if (kind == picture)
        return pictureOf(message);
    if (kind == written)
        return WrittenFeed{message.at("text")};
    if (kind == given)
        return valueOf(message.at("value"), pool).value_or(Value());
    if (kind == later)
        return FedLater{};
    RandomFeed feed{.seed = message.at("seed")};
    if (message.contains("low"))
        feed.range = SeededRange{message.at("low"), message.at("high")};
    return feed;
}

Message sessionMessage(const SessionOptions& options)
{
    return {{"threads", options.threads},        {"memory", options.memoryLimit},
            {"files", options.allowFiles},       {"fuse", options.fuse},
            {"back_end", options.backEnd},       {"nodes", options.maxNodeRuns},
            {"draws_alike", options.drawsAlike}, {"draw_names", options.drawNames},
            {"decodes", options.decodesWeights}};
}

SessionOptions sessionOf(const Message& message)
{
    SessionOptions options;
    options.threads = message.at("threads");
    options.memoryLimit = message.at("memory");
    options.allowFiles = message.at("files");
    options.fuse = message.at("fuse");
    options.backEnd = message.at("back_end");
    options.maxNodeRuns = message.at("nodes");
    options.drawsAlike = message.at("draws_alike");
    options.drawNames = message.at("draw_names");
    options.decodesWeights = message.at("decodes");
    return options;
}

void addFile(const FeedSource& source, Strings& files)
{
    if (const auto* fed = std::get_if<FileFeed>(&source))
        files.push_back(fed->path);
    else if (const auto* shown = std::get_if<PictureFeed>(&source))
        files.push_back(shown->path);
}

} // namespace

Message messageOf(const RunPlan& plan)
{
    Message feeds = Message::array();
    for (const RunPlan::Feed& feed : plan.feeds)
        feeds.push_back({{"tensor", feed.tensor},
                         {"source", std::visit(SourceMessage(), feed.source)},
                         {"dtype", std::int32_t(feed.dtype)}});
    return {
        {"feeds", std::move(feeds)},
        {"inputs", plan.inputs},
        {"others", plan.otherInputs ? std::visit(SourceMessage(), *plan.otherInputs) : Message()},
        {"shapes", messageOf(plan.shapes)},
        {"fetches", plan.fetches},
        {"targets", plan.targets},
        {"signature", plan.signature},
        {"session", sessionMessage(plan.session)},
        {"reports_missing", plan.reportsMissing}};
}

RunPlan runPlanOf(const Message& message, MemoryPool& pool)
{
    RunPlan plan;
    for (const Message& feed : message.at("feeds"))
        plan.feeds.push_back({feed.at("tensor"), sourceOf(feed.at("source"), pool),
                              DType(feed.at("dtype").get<std::int32_t>())});
    plan.inputs = message.at("inputs").get<Strings>();
    plan.otherInputs.reset();
    if (!message.at("others").is_null())
        plan.otherInputs = sourceOf(message.at("others"), pool);
    plan.shapes = shapesOf(message.at("shapes"));
    plan.fetches = message.at("fetches").get<Strings>();
    plan.targets = message.at("targets").get<Strings>();
    plan.signature = message.at("signature");
    plan.session = sessionOf(message.at("session"));
    plan.reportsMissing = message.at("reports_missing");
    return plan;
}

Message messageOf(const VerifyPlan& plan)
{
    const VerifyOptions& options = plan.options;
    Message pictures = Message::array();
    for (const PictureFeed& one : plan.pictures)
        pictures.push_back(messageOf(one));
    return {{"run", messageOf(plan.run)},         {"abs", options.tolerance.abs},
            {"rel", options.tolerance.rel},       {"sqnr", options.limits.minSqnrDb},
            {"cosine", options.limits.minCosine}, {"top1", options.limits.minTop1},
            {"rows", options.limits.fewestRows},  {"samples", options.samples.most},
            {"seconds", options.samples.seconds}, {"work", options.samples.operations},
            {"least", options.samples.least},     {"pictures", std::move(pictures)},
            {"ranges", options.comparesRanges}};
}

VerifyPlan verifyPlanOf(const Message& message, MemoryPool& pool)
{
    VerifyPlan plan;
    plan.run = runPlanOf(message.at("run"), pool);
    plan.options.tolerance = {message.at("abs"), message.at("rel")};
    plan.options.limits = {message.at("sqnr"), message.at("cosine"), message.at("top1"),
                           message.at("rows")};
    plan.options.samples = {message.at("samples"), message.at("seconds"), message.at("work"),
                            message.at("least")};
    plan.options.comparesRanges = message.at("ranges");
    for (const Message& one : message.at("pictures"))
        plan.pictures.push_back(pictureOf(one));
    return plan;
}

Strings filesOf(const RunPlan& plan)
{
    Strings files;
    for (const RunPlan::Feed& feed : plan.feeds)
        addFile(feed.source, files);
    if (plan.otherInputs)
        addFile(*plan.otherInputs, files);
    return files;
}

Strings filesOf(const VerifyPlan& plan)
{
    Strings files = filesOf(plan.run);
    for (const PictureFeed& one : plan.pictures)
        files.push_back(one.path);
    return files;
}

Message messageOf(const std::vector<ComputedOutput>& outputs)
{
    Message list = Message::array();
    for (const ComputedOutput& output : outputs) {
        Message one = {{"tensor", output.tensor}, {"times", output.times}};
        if (output.value)
            one["value"] = messageOf(*output.value);
        else
            one["error"] = messageOf(output.value.error());
        list.push_back(std::move(one));
    }
    return list;
}

std::vector<ComputedOutput> computedOutputsOf(const Message& message, MemoryPool& pool)
{
    std::vector<ComputedOutput> outputs;
    for (const Message& one : message) {
        auto value = one.contains("value") ? valueOf(one.at("value"), pool) : std::nullopt;
        const Error error = one.contains("error")
                                ? errorOf(one.at("error"))
                                : Error{ErrorCode::Internal, "its value cannot be shown"};
        outputs.push_back({one.at("tensor"),
                           value ? Result<Value>(*std::move(value)) : Result<Value>(error),
                           one.at("times")});
    }
    return outputs;
}

} // namespace lapidary
