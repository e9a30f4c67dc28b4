// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/autopilot_task.h"

#include "graph_model/base/clamped_cast.h"
#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"
#include "transforms/pass/number_values.h"

#include <cmath>
#include <utility>

namespace lapidary {
namespace {

using Counter = std::function<Result<double>(const GraphEntry&, const Job&)>;

// Parses a number followed by a unit.
std::optional<double> amount(std::string_view text, std::string_view unit)
{
    if (!text.ends_with(unit))
        return {};
    const auto number = floatValue(text.substr(0, text.size() - unit.size()));
    if (!number || !std::isfinite(*number) || *number <= 0)
        return {};
    return double(*number);
}

// Counts right answers on labeled pictures.
Result<Counter> counter(const AutopilotTask& task, const std::string& path)
{
    ASSIGN_OR_RETURN(auto classes, readClasses(task.folder));
    return Counter([path, plan = task.classify, classes = std::move(classes)](
                       const GraphEntry& entry, const Job& job) -> Result<double> {
        ASSIGN_OR_RETURN(const Evaluated evaluated, evaluateGraph(entry, path, plan, classes, job));
        return evaluated.top1.value_or(0);
    });
}

Result<AutopilotOptions> optionsOf(const AutopilotTask& task, const GraphEntry& entry,
                                   const std::string& path, const Job& job)
{
    Autopilot known;
    if (task.size) {
        const std::string encoded = encodeGraphDef(*entry.graph);
        known.bytes = std::int64_t(encoded.size());
        if (task.size->isCompressed) {
            ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(encoded, job));
            known.gzipBytes = std::int64_t(compressed);
        }
    }
    AutopilotOptions options = limitsOf(task, known);
    options.probes = task.probes;
    options.mayUseFewerProbes = task.mayUseFewerProbes;
    options.seconds = task.seconds;
    options.kept = task.kept;
    if (!task.folder.images.empty()) {
        ASSIGN_OR_RETURN(options.top1, counter(task, path));
    }
    return options;
}

} // namespace

std::int64_t SizeBudget::most(std::int64_t original) const
{
    return times > 0 ? std::int64_t(double(original) / times) : bytes;
}

std::optional<SizeBudget> parseSize(std::string_view text)
{
    if (const auto times = amount(text, "x"); times && *times >= 1)
        return SizeBudget{.times = *times};
    for (const auto& [unit, factor] :
         {std::pair("MB", 1e6), std::pair("kB", 1e3), std::pair("B", 1.0)})
        if (const auto number = amount(text, unit))
            return SizeBudget{.bytes = clampedTo<std::int64_t>(*number * factor)};
    return {};
}

namespace {

std::optional<SizeBudget> parseTime(std::string_view text)
{
    if (const auto times = amount(text, "x"); times && *times >= 1)
        return SizeBudget{.isTime = true, .times = *times};
    for (const auto& [unit, factor] :
         {std::pair("ms", 1e6), std::pair("us", 1e3), std::pair("s", 1e9)})
        if (const auto number = amount(text, unit))
            return SizeBudget{.isTime = true, .bytes = clampedTo<std::int64_t>(*number * factor)};
    return {};
}

} // namespace

std::optional<SizeBudget> parseSizeBudget(std::string_view text)
{
    constexpr std::string_view time = "time=";
    if (text.starts_with(time))
        return parseTime(text.substr(time.size()));
    const bool isCompressed = text.starts_with("gzip=");
    if (!isCompressed && !text.starts_with("size="))
        return {};
    auto budget = parseSize(text.substr(5));
    if (budget)
        budget->isCompressed = isCompressed;
    return budget;
}

std::optional<double> parseLoss(std::string_view text)
{
    if (const auto percent = amount(text, "%"); percent && *percent <= 100)
        return *percent / 100;
    if (const auto share = amount(text, ""); share && *share <= 1)
        return share;
    return text == "0" || text == "0%" ? std::optional(0.0) : std::nullopt;
}

AutopilotOptions limitsOf(const AutopilotTask& task, const Autopilot& known)
{
    AutopilotOptions options;
    options.mostLoss = task.mostLoss;
    options.leastDb = task.leastDb;
    if (!task.size)
        return options;
    if (task.size->isTime) {
        if (task.size->times > 0)
            options.leastSpeedup = task.size->times;
        if (task.size->times <= 0 || known.nanoseconds > 0)
            options.mostNanoseconds = task.size->most(known.nanoseconds);
    } else if (task.size->isCompressed) {
        options.mostGzipBytes = task.size->most(known.gzipBytes);
    } else {
        options.mostBytes = task.size->most(known.bytes);
    }
    return options;
}

Result<Autopilot> runAutopilotTask(const GraphEntry& entry, const std::string& path,
                                   const AutopilotTask& task, const HearAutopilot& hear,
                                   const Job& job)
{
    ASSIGN_OR_RETURN(AutopilotOptions options, optionsOf(task, entry, path, job));
    options.onFound = hear;
    return runAutopilot(entry, path, task.inputs, task.outputs, options, job);
}

} // namespace lapidary
