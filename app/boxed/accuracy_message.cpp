// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/accuracy_message.h"

#include "app/boxed/picture_message.h"
#include "app/boxed/plan_message.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

template <class T>
Message orNull(const std::optional<T>& value)
{
    return value ? Message(*value) : Message();
}

Message messageOf(const Noise& noise)
{
    return {{"ratio", noise.ratio}, {"top1", orNull(noise.top1)}};
}

Noise noiseOf(const Message& message)
{
    return {message.at("ratio"), optionalOf<double>(message.at("top1"))};
}

LayerForm formOf(const Message& message)
{
    return formNamed(message.get<std::string>()).value_or(LayerForm::Float);
}

Message rangeMessage(const SeededRange& range)
{
    return {range.low, range.high};
}

// Tells whether all indices exist and all points have recipes, as the window assumes.
bool isComplete(const Autopilot& found)
{
    const auto isThere = [&](std::size_t i) { return i < found.points.size(); };
    return std::ranges::all_of(found.front, isThere) && (!found.chosen || isThere(*found.chosen)) &&
           std::ranges::none_of(found.points,
                                [](const AutopilotPoint& point) { return point.recipe.empty(); });
}

} // namespace

Message messageOf(const ProbePlan& plan)
{
    return {{"count", plan.count},
            {"seed", plan.seed},
            {"range", rangeMessage(plan.range)},
            {"samples", plan.samples},
            {"run", messageOf(plan.run)}};
}

ProbePlan probePlanOf(const Message& message, MemoryPool& pool)
{
    ProbePlan plan;
    plan.count = message.at("count");
    plan.seed = message.at("seed");
    plan.range = {message.at("range").at(0), message.at("range").at(1)};
    plan.samples = message.at("samples");
    plan.run = runPlanOf(message.at("run"), pool);
    return plan;
}

Strings filesOf(const ProbePlan& plan)
{
    Strings files = filesOf(plan.run);
    if (!plan.samples.empty())
        files.push_back(plan.samples);
    return files;
}

Message messageOf(const Sensitivity& found)
{
    Message layers = Message::array();
    for (const SensitiveLayer& one : found.layers)
        layers.push_back({one.name, one.original, one.op, messageOf(one.noise)});
    return {{"form", formName(found.form)},
            {"layers", std::move(layers)},
            {"all", messageOf(found.all)},
            {"probes", found.probes}};
}

Sensitivity sensitivityOf(const Message& message)
{
    Sensitivity found;
    found.form = formOf(message.at("form"));
    for (const Message& one : message.at("layers"))
        found.layers.push_back({one.at(0), one.at(1), one.at(2), noiseOf(one.at(3))});
    found.all = noiseOf(message.at("all"));
    found.probes = message.at("probes");
    return found;
}

Message messageOf(const AutopilotTask& task)
{
    Message size;
    if (task.size)
        size = {task.size->isCompressed, task.size->isTime, task.size->times, task.size->bytes};
    return {{"probes", messageOf(task.probes)},
            {"fewer_probes", task.mayUseFewerProbes},
            {"loss", task.mostLoss},
            {"db", orNull(task.leastDb)},
            {"size", std::move(size)},
            {"seconds", task.seconds},
            {"kept", task.kept},
            {"folder", messageOf(task.folder)},
            {"classify", messageOf(task.classify)},
            {"inputs", task.inputs},
            {"outputs", task.outputs}};
}

AutopilotTask autopilotTaskOf(const Message& message, MemoryPool& pool)
{
    AutopilotTask task;
    task.probes = probePlanOf(message.at("probes"), pool);
    task.mayUseFewerProbes = message.at("fewer_probes");
    task.mostLoss = message.at("loss");
    task.leastDb = optionalOf<double>(message.at("db"));
    if (const Message& size = message.at("size"); !size.is_null())
        task.size = SizeBudget{size.at(0), size.at(1), size.at(2), size.at(3)};
    task.seconds = message.at("seconds");
    task.kept = message.at("kept").get<Strings>();
    task.folder = folderOf(message.at("folder"));
    task.classify = classifyPlanOf(message.at("classify"));
    task.inputs = message.at("inputs").get<Strings>();
    task.outputs = message.at("outputs").get<Strings>();
    return task;
}

Strings filesOf(const AutopilotTask& task)
{
    Strings files = filesOf(task.probes);
    for (std::string& file : filesOf(task.folder))
        files.push_back(std::move(file));
    return files;
}

Message messageOf(const AutopilotPoint& point)
{
    Message layers = Message::array();
    for (std::size_t i = 0; i < point.layers.size(); ++i)
        layers.push_back({point.layers[i].first, formName(point.layers[i].second),
                          point.costs[i].bytes, point.costs[i].noise});
    return {{"recipe", printRecipe(point.recipe)},
            {"layers", std::move(layers)},
            {"equalized", point.isEqualized},
            {"bytes", point.bytes},
            {"gzip", point.gzipBytes},
            {"nanoseconds", point.nanoseconds},
            {"predicted", point.predictedDb},
            {"noise", messageOf(point.noise)},
            {"top1", orNull(point.top1)},
            {"loss", point.loss},
            {"estimated", point.isEstimated}};
}

AutopilotPoint autopilotPointOf(const Message& message)
{
    AutopilotPoint point;
    if (auto recipe = parseRecipe(message.at("recipe").get<std::string>(), RecipeSyntax::Strict))
        point.recipe = *std::move(recipe);
    for (const Message& one : message.at("layers")) {
        point.layers.emplace_back(one.at(0).get<std::string>(), formOf(one.at(1)));
        point.costs.push_back({one.at(2), one.at(3)});
    }
    point.isEqualized = message.at("equalized");
    point.bytes = message.at("bytes");
    point.gzipBytes = message.at("gzip");
    point.nanoseconds = message.at("nanoseconds");
    point.predictedDb = message.at("predicted");
    point.noise = noiseOf(message.at("noise"));
    point.top1 = optionalOf<double>(message.at("top1"));
    point.loss = message.at("loss");
    point.isEstimated = message.at("estimated");
    return point;
}

Message messageOf(const Autopilot& found)
{
    Message points = Message::array();
    for (const AutopilotPoint& point : found.points)
        points.push_back(messageOf(point));
    return {{"bytes", found.bytes},
            {"gzip", found.gzipBytes},
            {"nanoseconds", found.nanoseconds},
            {"top1", orNull(found.top1)},
            {"inputs", found.inputs},
            {"outputs", found.outputs},
            {"points", std::move(points)},
            {"front", found.front},
            {"chosen", orNull(found.chosen)},
            {"holds", found.holdsBudget},
            {"evaluations", found.evaluations},
            {"probes", found.probes},
            {"seconds", found.seconds},
            {"stopped", found.isStopped},
            {"files", found.leftOut.files},
            {"measurements", found.leftOut.measurements},
            {"of", found.leftOut.ofMeasurements},
            {"why", found.why}};
}

Autopilot autopilotOf(const Message& message)
{
    Autopilot found;
    found.bytes = message.at("bytes");
    found.gzipBytes = message.at("gzip");
    found.nanoseconds = message.at("nanoseconds");
    found.top1 = optionalOf<double>(message.at("top1"));
    found.inputs = message.at("inputs").get<Strings>();
    found.outputs = message.at("outputs").get<Strings>();
    for (const Message& one : message.at("points"))
        found.points.push_back(autopilotPointOf(one));
    found.front = message.at("front").get<std::vector<std::size_t>>();
    found.chosen = optionalOf<std::size_t>(message.at("chosen"));
    found.holdsBudget = message.at("holds");
    found.evaluations = message.at("evaluations");
    found.probes = message.at("probes");
    found.seconds = message.at("seconds");
    found.isStopped = message.at("stopped");
    found.leftOut = {message.at("files"), message.at("measurements"), message.at("of")};
    found.why = message.at("why");
    return isComplete(found) ? found : Autopilot();
}

std::string wordOf(const Message& message)
{
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string word;
    for (const char byte : encodeMessage(message)) {
        word += digits[static_cast<unsigned char>(byte) >> 4];
        word += digits[static_cast<unsigned char>(byte) & 15];
    }
    return word;
}

std::optional<std::string> bytesOfWord(std::string_view word)
{
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    if (word.size() % 2 != 0)
        return {};
    std::string bytes;
    for (std::size_t i = 0; i < word.size(); i += 2) {
        const int high = digit(word[i]);
        const int low = digit(word[i + 1]);
        if (high < 0 || low < 0)
            return {};
        bytes += char(high * 16 + low);
    }
    return bytes;
}

} // namespace lapidary
