// SPDX-License-Identifier: Apache-2.0
// Profiles written by TensorFlow and its benchmark_model: read, and printed again.
#include "graph_model/base/job.h"
#include "runner/profile/chrome_trace.h"
#include "runner/profile/profile_file.h"
#include "runner/profile/run_metadata.h"
#include "runner/profile/statistics.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace lapidary::goldens {
namespace {

using nlohmann::json;

TableOptions tableOptions(const json& options)
{
    TableOptions read;
    read.runOrder = options.value("show_run_order", true);
    read.runOrderLimit = options.value("run_order_limit", 0);
    read.time = options.value("show_time", true);
    read.timeLimit = options.value("time_limit", 10);
    read.memory = options.value("show_memory", true);
    read.memoryLimit = options.value("memory_limit", 10);
    read.type = options.value("show_type", true);
    read.summary = options.value("show_summary", true);
    return read;
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

// Tied rows of a table, and with them their running totals, may be in any order.
std::string withoutTies(const std::string& text, const json& tied)
{
    std::vector<std::string> lines = linesOf(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool isTied = std::ranges::any_of(tied, [&](const json& title) {
            return lines[i] == std::string(30, '=') + ' ' + title.get<std::string>() + ' ' +
                                   std::string(30, '=');
        });
        if (!isTied)
            continue;
        const auto begin = lines.begin() + std::ptrdiff_t(i) + 2;
        const auto end = std::find(begin, lines.end(), "");
        // Returns the columns by which rows are sorted; a truncated table may show any of the rows
        // that tie with its last one.
        for (auto line = begin; line != end; ++line) {
            std::istringstream cells(*line);
            std::string cell;
            std::string kept;
            for (int column = 0; std::getline(cells, cell, '\t'); ++column)
                if ((column == 4 || column == 5) && tied.size() > 0)
                    kept += cell + '\t';
            *line = lines[i].find("Memory") == std::string::npos ? kept : "";
        }
        i = std::size_t(end - lines.begin());
    }
    std::string joined;
    for (const std::string& line : lines)
        joined += line + '\n';
    return joined;
}

std::string firstDifference(const std::string& ours, const std::string& theirs)
{
    const auto a = linesOf(ours);
    const auto b = linesOf(theirs);
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const std::string x = i < a.size() ? a[i] : "(end)";
        const std::string y = i < b.size() ? b[i] : "(end)";
        if (x != y)
            return "line " + std::to_string(i) + ": '" + x + "', recorded '" + y + "'";
    }
    return "";
}

std::string sortedLines(const std::string& text)
{
    std::vector<std::string> lines = linesOf(text);
    std::ranges::sort(lines);
    std::string joined;
    for (const std::string& line : lines)
        joined += line + '\n';
    return joined;
}

// Nodes that start at the same time may be in any order.
std::string sizesDifference(const ProfileStatistics& statistics, const std::string& recorded)
{
    std::set<double> starts;
    for (const auto& [name, node] : statistics.nodes())
        starts.insert(node.start.mean());
    const std::string ours = statistics.outputSizes();
    return starts.size() == statistics.nodes().size()
               ? firstDifference(ours, recorded)
               : firstDifference(sortedLines(ours), sortedLines(recorded));
}

Result<ProfileStatistics> statisticsOf(const json& testCase)
{
    ProfileStatistics statistics;
    std::vector<std::string> steps;
    for (const json& metadata : testCase.value("run_metadata", json::array()))
        steps.push_back(decodeBase64(metadata.get<std::string>()));
    if (testCase.contains("run_metadata_file"))
        steps.push_back(readBytes(dataRoot() / testCase["run_metadata_file"].get<std::string>()));
    for (const std::string& bytes : steps) {
        ASSIGN_OR_RETURN(const auto step, decodeRunMetadata(bytes));
        statistics.add(step);
    }
    return statistics;
}

void judgeStatistics(const json& testCase, Tally& tally)
{
    const auto name = "statistics/" + testCase["name"].get<std::string>();
    const auto statistics = statisticsOf(testCase);
    if (!statistics)
        return tally.differs(name, statistics.error().message);
    const std::string text = statistics->tables(tableOptions(testCase["options"]));
    if (testCase.contains("crash"))
        return tally.held(name);
    const json tied = testCase.value("tied_tables", json::array());
    std::string fault = firstDifference(withoutTies(text, tied),
                                        withoutTies(testCase["text"].get<std::string>(), tied));
    if (fault.empty() && testCase.contains("short_summary"))
        fault =
            firstDifference(statistics->summary(), testCase["short_summary"].get<std::string>());
    if (fault.empty() && testCase.contains("output_sizes")) {
        std::string sizes;
        for (const json& line : testCase["output_sizes"])
            sizes += line.get<std::string>() + '\n';
        fault = sizesDifference(*statistics, sizes);
    }
    tally.check(fault.empty(), name, fault);
}

// Returns the tables in a log, without the prefixes of its lines.
std::string tablesOf(const std::string& log)
{
    std::string tables;
    for (const std::string& line : linesOf(log))
        if (line.find("stat_summarizer.cc:85] ") != std::string::npos)
            tables += std::string(withoutLogPrefix(line)) + '\n';
    return tables;
}

// Every node that benchmark_model counted is a row of the log's tables with its time.
std::string judgeRows(const BenchmarkLog& log, const ProfileStatistics& statistics)
{
    for (const LoggedNode& row : log.nodes) {
        const auto node = statistics.nodes().find(row.name);
        if (node == statistics.nodes().end())
            return "no node " + row.name;
        if (node->second.type != row.type ||
            std::abs(node->second.micros.mean() / 1000 - row.averageMs) > 0.00051 ||
            std::abs(double(node->second.memory.newest()) / 1000 - row.memoryKb) > 0.00051)
            return "another row " + row.name;
    }
    return log.observed < 0 || std::size_t(log.observed) == statistics.nodes().size()
               ? ""
               : "another number of nodes";
}

void judgeLog(const json& testCase, Tally& tally)
{
    const auto name = "logs/" + testCase["name"].get<std::string>();
    if (!testCase.contains("log"))
        return; // it failed; [benchmark_calls] repeats it
    const std::string text = readBytes(dataRoot() / testCase["log"].get<std::string>());
    const auto log = readBenchmarkLog(text);
    if (!log)
        return tally.differs(name, log.error().message);
    if (log->phases.size() < 2 || log->plainMicros < 0)
        return tally.differs(name, "phases are missing");
    if (!testCase.contains("run_metadata"))
        return tally.check(log->observed < 0 || std::size_t(log->observed) >= log->nodes.size(),
                           name, "other nodes");
    const auto statistics = statisticsOf(testCase);
    if (!statistics)
        return tally.differs(name, statistics.error().message);
    std::string fault = judgeRows(*log, *statistics);
    const std::string tables = tablesOf(text);
    if (fault.empty() && log->observed >= 0 && !log->timings.empty())
        fault = tables.find(statistics->summary()) == std::string::npos
                    ? "another summary than " + statistics->summary()
                    : "";
    tally.check(fault.empty(), name, fault);
}

using Row = std::tuple<std::string, std::string, std::int64_t, std::int64_t>;

std::vector<Row> rowsOf(const StepRecords& step)
{
    std::vector<Row> rows;
    for (const DeviceRecords& device : step.devices)
        for (const NodeRecord& record : device.nodes)
            rows.emplace_back(device.device, record.node, record.startMicros, record.micros);
    std::ranges::sort(rows);
    return rows;
}

std::vector<Row> rowsOf(const json& nodes)
{
    std::vector<Row> rows;
    for (const json& node : nodes)
        rows.emplace_back(node["device"], node["node"], node["all_start_us"], node["elapsed_us"]);
    std::ranges::sort(rows);
    return rows;
}

std::string judgeFile(const std::filesystem::path& file, const std::string& kind,
                      const std::vector<Row>& wanted)
{
    const auto profile = readProfile(readBytes(file), Job());
    if (!profile)
        return profile.error().message;
    if (profile->kind != kind || !profile->step)
        return "taken for a " + profile->kind;
    return rowsOf(*profile->step) == wanted ? "" : "other records";
}

void judgeTruth(const json& truth, Tally& tally)
{
    const auto name = truth["name"].get<std::string>();
    const std::filesystem::path root = dataRoot() / "goldens/profiles";
    const std::vector<Row> wanted = rowsOf(truth["nodes"]);
    for (const std::string ending : {".pb", ".pbtxt"}) {
        const auto file = root / "run_metadata" / (name + ending);
        if (!std::filesystem::exists(file))
            continue;
        const std::string fault = judgeFile(file, "RunMetadata", wanted);
        tally.check(fault.empty(), "run_metadata/" + name + ending, fault);
    }
    for (const std::string ending : {".json", "_no_dataflow.json", "_memory.json"}) {
        const auto file = root / "timeline" / (name + ending);
        if (!std::filesystem::exists(file))
            continue;
        const std::string fault = judgeFile(file, "Chrome trace", wanted);
        tally.check(fault.empty(), "timeline/" + name + ending, fault);
    }
    // The reader accepts what the writer writes.
    const auto step = decodeRunMetadata(readBytes(root / "run_metadata" / (name + ".pb")));
    const bool kept =
        step && rowsOf(decodeRunMetadata(encodeRunMetadata(step.value())).value()) == wanted &&
        rowsOf(decodeChromeTrace(encodeChromeTrace(step.value())).value()) == wanted;
    tally.check(kept, "written/" + name, "written and read again, it is another");
}

} // namespace

TEST_CASE("profiles are read, and printed as the original does", "[profiles]")
{
    if (!present("goldens/profiles"))
        return;
    Tally tally("profiles");
    const std::filesystem::path root = dataRoot() / "goldens/profiles";
    for (const json& testCase : loadCases(root / "stat_summarizer.jsonl"))
        judgeStatistics(testCase, tally);
    for (const json& testCase : loadCases(root / "logs.jsonl"))
        judgeLog(testCase, tally);
    for (const json& truth : loadCases(root / "run_metadata.jsonl"))
        judgeTruth(truth, tally);
    tally.finish();
}

} // namespace lapidary::goldens
