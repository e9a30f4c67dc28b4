// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/benchmark_log.h"

#include "graph_model/base/text.h"

#include <charconv>
#include <map>

namespace lapidary {
namespace {

// Returns zero if the text is not a number ("-nan%" of a zero total).
double number(std::string_view text)
{
    text = trimmed(text);
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && value == value ? value : 0;
}

std::int64_t integer(std::string_view text)
{
    text = trimmed(text);
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// Splits into at most `most` cells; the last one keeps the tabs that a name may hold.
std::vector<std::string_view> cells(std::string_view line, std::size_t most)
{
    std::vector<std::string_view> all;
    while (all.size() + 1 < most) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos)
            break;
        all.push_back(line.substr(0, tab));
        line.remove_prefix(tab + 1);
    }
    all.push_back(line);
    return all;
}

class LogReader {
public:
    void take(std::string_view line);
    Result<BenchmarkLog> finish();

private:
    enum class Table { None, Nodes, Types };
    void takeNode(std::string_view line);
    void takeType(std::string_view line);
    void takeAverages(std::string_view line);
    bool takeText(std::string_view line);

    BenchmarkLog m_log;
    std::map<std::string, std::size_t> m_known;
    Table m_table = Table::None;
};

void LogReader::takeNode(std::string_view line)
{
    const auto row = cells(line, 10);
    if (row.size() != 10 || row[1].find('[') != std::string_view::npos)
        return;
    const std::string name(row[9]);
    if (!m_known.emplace(name, m_log.nodes.size()).second)
        return;
    m_log.nodes.push_back({.name = name,
                           .type = std::string(trimmed(row[1])),
                           .startMs = number(row[2]),
                           .firstMs = number(row[3]),
                           .averageMs = number(row[4]),
                           .percent = number(row[5]),
                           .memoryKb = number(row[7]),
                           .calls = integer(row[8])});
}

void LogReader::takeType(std::string_view line)
{
    const auto row = cells(line, 8);
    if (row.size() != 8 || row[1].find('[') != std::string_view::npos)
        return;
    m_log.types.push_back({.type = std::string(trimmed(row[1])),
                           .nodes = integer(row[2]),
                           .averageMs = number(row[3]),
                           .percent = number(row[4]),
                           .memoryKb = number(row[6]),
                           .calls = integer(row[7])});
}

void LogReader::takeAverages(std::string_view line)
{
    const auto after = [&](std::string_view word) {
        const std::size_t at = line.find(word);
        return at == std::string_view::npos ? -1.0 : number(line.substr(at + word.size()));
    };
    m_log.warmupMicros = after("Warmup: ");
    m_log.plainMicros = after("no stats: ");
    m_log.tracedMicros = after("with stats: ");
}

// Returns whether the line is one of the texts around the tables, and keeps it.
bool LogReader::takeText(std::string_view line)
{
    const auto rest = [&](std::string_view start) {
        return std::string(line.substr(start.size()));
    };
    constexpr std::string_view timings = "Timings (microseconds): ";
    constexpr std::string_view memory = "Memory (bytes): ";
    constexpr std::string_view flops = "FLOPs estimate: ";
    if (line.starts_with(timings))
        m_log.timings = rest(timings);
    else if (line.starts_with(memory))
        m_log.memory = rest(memory);
    else if (line.starts_with(flops))
        m_log.flops = rest(flops);
    else if (line.starts_with("count="))
        m_log.phases.emplace_back(line);
    else if (line.starts_with("Average inference timings in us: "))
        takeAverages(line);
    else if (line.ends_with(" nodes observed"))
        m_log.observed = integer(line.substr(0, line.find(' ')));
    else
        return false;
    return true;
}

void LogReader::take(std::string_view line)
{
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    line = withoutLogPrefix(line);
    if (line.starts_with("====")) {
        const bool isTypes = line.find("Summary by node type") != std::string_view::npos;
        const bool isSizes = line.find("output tensor sizes") != std::string_view::npos;
        m_table = isTypes ? Table::Types : isSizes ? Table::None : Table::Nodes;
        return;
    }
    if (line.empty()) {
        m_table = Table::None;
        return;
    }
    if (takeText(line))
        return;
    if (m_table == Table::Nodes)
        takeNode(line);
    else if (m_table == Table::Types)
        takeType(line);
}

Result<BenchmarkLog> LogReader::finish()
{
    if (m_log.nodes.empty() && m_log.types.empty() && m_log.phases.empty() && m_log.timings.empty())
        return Error{ErrorCode::BadFile, "no table and no timing of benchmark_model in it"};
    return std::move(m_log);
}

} // namespace

std::string_view withoutLogPrefix(std::string_view line)
{
    const bool isLogged = line.size() > 28 && line[4] == '-' && line[7] == '-' && line[10] == ' ';
    const std::size_t end = isLogged ? line.find("] ") : std::string_view::npos;
    return end == std::string_view::npos ? line : line.substr(end + 2);
}

Result<BenchmarkLog> readBenchmarkLog(std::string_view text)
{
    LogReader reader;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        reader.take(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return reader.finish();
}

} // namespace lapidary
