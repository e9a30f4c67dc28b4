// SPDX-License-Identifier: Apache-2.0
#include "app/cli/benchmark/benchmark_report.h"

#include "graph_model/summary/number_text.h"
#include "runner/profile/time_groups.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace lapidary {
namespace {

Json seriesJson(const Series& series)
{
    return {{"count", series.count()},
            {"first", series.first()},
            {"avg", series.count() == 0 ? 0.0 : series.mean()},
            {"min", series.min()},
            {"median", series.median()},
            {"max", series.max()},
            {"std", series.deviation()}};
}

struct NodeRow {
    std::string name;
    std::string op;
    const RunProfile::NodeTimes* times = nullptr; // null: the executor
    std::int64_t sum = 0;                         // nanoseconds
    Series runs;                                  // nanoseconds
};

Series seriesOf(const std::vector<std::int64_t>& values)
{
    Series series;
    for (const std::int64_t value : values)
        series.add(value);
    return series;
}

std::vector<NodeRow> rowsOf(const RunProfile& profile)
{
    std::vector<NodeRow> rows;
    for (const auto& [key, times] : profile.nodes())
        rows.push_back({times.name, times.op, &times, times.nanoseconds, seriesOf(times.perRun)});
    std::ranges::stable_sort(rows, {}, [](const NodeRow& row) { return row.times->order; });
    rows.push_back(
        {"executor", "", nullptr, profile.executorNanoseconds(), seriesOf(profile.executorRuns())});
    return rows;
}

double micros(double nanoseconds)
{
    return nanoseconds / 1000;
}

Json rowJson(const NodeRow& row, const RunProfile& profile)
{
    const auto runs = std::int64_t(profile.runs().size());
    Json json = {
        {"name", row.name},
        {"op", row.op},
        {"count", row.times == nullptr || runs == 0 ? 0 : row.times->calls / runs},
        {"start_us", row.times == nullptr ? 0.0 : micros(double(row.times->startNanoseconds))},
        {"first_us", micros(double(row.runs.first()))},
        {"avg_us", runs == 0 ? 0.0 : micros(double(row.sum) / double(runs))},
        {"min_us", micros(double(row.runs.min()))},
        {"median_us", micros(row.runs.median())},
        {"std_us", micros(row.runs.deviation())},
        {"sum_ns", row.sum},
        {"memory_bytes", row.times == nullptr ? 0 : row.times->outputBytes}};
    const auto flops =
        row.times == nullptr ? std::optional<std::int64_t>() : profile.flops(row.times->key);
    json["flops"] = flops ? Json(*flops) : Json(nullptr);
    return json;
}

Json typesJson(const ProfileStatistics& statistics)
{
    Json types = Json::array();
    for (const auto& type : statistics.types())
        types.push_back({{"op", type.type},
                         {"count", type.nodes},
                         {"avg_us", type.micros},
                         {"memory_bytes", type.memory},
                         {"calls", type.calls}});
    return types;
}

Json groupsJson(const RunProfile& profile, GroupBy by)
{
    Json groups = Json::array();
    for (const TimeGroup& group : groupTimes(profile, by))
        groups.push_back({{"name", group.name},
                          {"nodes", group.nodes},
                          {"calls", group.calls},
                          {"sum_ns", group.nanoseconds},
                          {"memory_bytes", group.outputBytes},
                          {"flops", group.flops ? Json(*group.flops) : Json(nullptr)}});
    return groups;
}

// Returns a CSV field, quoted if necessary.
std::string field(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

} // namespace

Json benchmarkJson(const RunProfile& profile, const BenchmarkTimes& times, std::uint64_t peakBytes)
{
    Json nodes = Json::array();
    for (const NodeRow& row : rowsOf(profile))
        nodes.push_back(rowJson(row, profile));
    return {{"runs", times.plain.count()},
            {"total_us",
             {{"warmup", seriesJson(times.warmup)},
              {"no_stats", seriesJson(times.plain)},
              {"with_stats", seriesJson(times.traced)}}},
            {"profiled_runs", profile.runs().size()},
            {"profiled_sum_ns", profile.totalNanoseconds()},
            {"flops", profile.totalFlops()},
            {"peak_tensor_bytes", peakBytes},
            {"nodes", std::move(nodes)},
            {"types", typesJson(profile.statistics())},
            {"groups",
             {{"ops", groupsJson(profile, GroupBy::Op)},
              {"families", groupsJson(profile, GroupBy::Family)},
              {"scopes", groupsJson(profile, GroupBy::Scope)}}}};
}

std::string savedReportText(const Json& report)
{
    std::string text;
    for (const Json& node : report["nodes"]) {
        char mean[64];
        std::snprintf(mean, sizeof mean, "%g ms", node["avg_us"].get<double>() / 1000);
        text += node["name"].get<std::string>() + '\t' + node["op"].get<std::string>() + '\t' +
                mean + '\n';
    }
    return text;
}

std::string shareText(const RunProfile& profile)
{
    const auto runs = double(std::max<std::size_t>(profile.runs().size(), 1));
    const double total = double(profile.totalNanoseconds());
    const double rest = double(profile.executorNanoseconds());
    char text[160];
    std::snprintf(
        text, sizeof text, "Nodes: %.2f %% of the runs' time, executor: %.3f us of %.3f us a run\n",
        total > 0 ? 100 * (total - rest) / total : 0.0, micros(rest / runs), micros(total / runs));
    return text;
}

Json profileJson(const ProfileStatistics& statistics)
{
    Json nodes = Json::array();
    const std::int64_t runs = std::max<std::int64_t>(statistics.runTotals().count(), 1);
    for (const NodeStatistics* node : statistics.inRunOrder())
        nodes.push_back({{"name", node->name},
                         {"op", node->type},
                         {"count", node->micros.count() / runs},
                         {"start_us", node->start.mean()},
                         {"first_us", node->micros.first()},
                         {"avg_us", double(node->micros.sum()) / double(runs)},
                         {"min_us", node->micros.min()},
                         {"median_us", node->micros.median()},
                         {"memory_bytes", node->memory.newest()},
                         {"flops", nullptr}});
    return {{"runs", statistics.runTotals().count()},
            {"total_us", seriesJson(statistics.runTotals())},
            {"nodes", std::move(nodes)},
            {"types", typesJson(statistics)}};
}

Json logJson(const BenchmarkLog& log)
{
    Json nodes = Json::array();
    for (const LoggedNode& node : log.nodes)
        nodes.push_back({{"name", node.name},
                         {"op", node.type},
                         {"count", node.calls},
                         {"start_us", node.startMs * 1000},
                         {"first_us", node.firstMs * 1000},
                         {"avg_us", node.averageMs * 1000},
                         {"min_us", nullptr},
                         {"median_us", nullptr},
                         {"memory_bytes", node.memoryKb * 1000},
                         {"flops", nullptr}});
    Json types = Json::array();
    for (const LoggedType& type : log.types)
        types.push_back({{"op", type.type},
                         {"count", type.nodes},
                         {"avg_us", type.averageMs * 1000},
                         {"memory_bytes", type.memoryKb * 1000},
                         {"calls", type.calls}});
    return {{"runs", log.phases.size() > 1 ? Json(log.phases[1]) : Json(nullptr)},
            {"total_us",
             {{"warmup", log.warmupMicros},
              {"no_stats", log.plainMicros},
              {"with_stats", log.tracedMicros}}},
            {"nodes", std::move(nodes)},
            {"types", std::move(types)}};
}

std::string benchmarkCsv(const RunProfile& profile)
{
    std::string text = "name,op,count,start_us,first_us,avg_us,min_us,median_us,std_us,sum_ns,"
                       "memory_bytes,flops\n";
    for (const NodeRow& row : rowsOf(profile)) {
        const Json json = rowJson(row, profile);
        text += field(row.name) + ',' + row.op;
        for (const char* key : {"count", "start_us", "first_us", "avg_us", "min_us", "median_us",
                                "std_us", "sum_ns", "memory_bytes", "flops"})
            text += ',' + (json[key].is_null() ? "" : json[key].dump());
        text += '\n';
    }
    return text;
}

} // namespace lapidary
