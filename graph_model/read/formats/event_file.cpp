// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire_cursor.h"
#include "graph_model/read/container_marks.h"
#include "graph_model/read/formats/formats.h"
#include "graph_model/read/graph_def_reader.h"
#include "graph_model/read/meta_graph_checks.h"
#include "graph_model/read/meta_graph_reader.h"
#include "graph_model/read/record_reader.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr std::string_view versionPrefix = "brain.Event:";
constexpr std::string_view currentVersion = "2";

struct Event {
    std::int64_t step = 0;
    std::string_view fileVersion;
    std::string_view graph;
    std::string_view metaGraph;
    bool hasGraph = false;
    bool hasMetaGraph = false;
    bool isWhole = true;
};

Event readEvent(std::string_view data)
{
    Event event;
    WireCursor cursor(data);
    WireField field;
    while (cursor.next(field)) {
        const bool isBytes = field.type == WireType::Bytes;
        if (field.field == 2 && field.type == WireType::Varint)
            event.step = std::int64_t(field.number);
        else if (field.field == 3 && isBytes)
            event.fileVersion = field.bytes();
        else if (field.field == 4 && isBytes)
            event.graph = field.bytes();
        else if (field.field == 9 && isBytes)
            event.metaGraph = field.bytes();
        event.hasGraph |= field.field == 4 && isBytes;
        event.hasMetaGraph |= field.field == 9 && isBytes;
    }
    event.isWhole = !cursor.failed();
    return event;
}

bool isCutOnly(const Problems& problems)
{
    return std::ranges::all_of(problems,
                               [](const Problem& problem) { return problem.kind == "truncated"; });
}

class EventFileReader {
public:
    explicit EventFileReader(ModelFile& file)
        : m_file(file)
        , m_records(file.buffer->bytes())
    {
    }

    Status run(const Job& job);

private:
    Status takeEvent(const Event& event, const Job& job);
    void addEntry(GraphEntry entry, const Event& event, const char* suffix);
    void report(std::string kind, std::string message, Severity severity = Severity::Error);

    ModelFile& m_file;
    void takeProblems();
    void reportNoGraph();

    RecordReader m_records;
    std::size_t m_emptyGraphs = 0;
};

void EventFileReader::report(std::string kind, std::string message, Severity severity)
{
    message += " (record at byte " + std::to_string(m_records.record()) + ")";
    m_file.problems.push_back({std::move(kind),
                               severity,
                               {},
                               std::uint64_t(m_records.record()),
                               {},
                               {},
                               std::move(message)});
}

void EventFileReader::addEntry(GraphEntry entry, const Event& event, const char* suffix)
{
    // Positions in an event file are those of records; the message contains the exact byte.
    for (Problem& problem : entry.problems)
        if (problem.offset)
            problem.offset = m_records.record();
    const std::string tags = entry.title;
    entry.title = "step " + std::to_string(event.step) + suffix;
    if (!tags.empty())
        entry.title += " (" + tags + ")";
    if (entry.graph->size() == 0 && entry.graph->functions() == nullptr) {
        m_file.problems.insert(m_file.problems.end(), entry.problems.begin(), entry.problems.end());
        m_emptyGraphs += entry.problems.empty() ? 1 : 0;
        return;
    }
    m_file.graphs.push_back(std::move(entry));
}

Status EventFileReader::takeEvent(const Event& event, const Job& job)
{
    if (event.hasGraph) {
        ASSIGN_OR_RETURN(GraphReadResult read,
                         readGraphDef(event.graph, m_file.buffer, 0, false, job));
        GraphEntry entry;
        entry.graph = read.graph;
        entry.problems = std::move(read.problems);
        entry.variables = variablesOf(*entry.graph);
        addEntry(std::move(entry), event, "");
    }
    if (event.hasMetaGraph) {
        ASSIGN_OR_RETURN(MetaGraphRead read,
                         readMetaGraph(event.metaGraph, m_file.buffer, 0, false, job));
        GraphEntry entry = std::move(read.entry);
        read.entry.graph = entry.graph;
        read.entry.signatures = entry.signatures;
        for (Problems problems : {read.problems, checkMetaGraph(read, false)})
            entry.problems.insert(entry.problems.end(), problems.begin(), problems.end());
        addEntry(std::move(entry), event, ", meta graph");
    }
    if (!event.fileVersion.empty() &&
        event.fileVersion != std::string(versionPrefix) + std::string(currentVersion))
        report("version",
               "the event file says version \"" + std::string(event.fileVersion) +
                   "\", known is \"" + std::string(versionPrefix) + std::string(currentVersion) +
                   "\"",
               Severity::Warning);
    return Done{};
}

void EventFileReader::takeProblems()
{
    for (Problem& problem : m_records.takeProblems())
        m_file.problems.push_back(std::move(problem));
}

// Reports that there is no graph. If the file was cut off, a graph may have followed, but only if
// nothing except the version precedes: a graph is the first event that TensorFlow writes.
void EventFileReader::reportNoGraph()
{
    Problem problem;
    problem.kind = "no_graph";
    problem.message = m_emptyGraphs > 0 ? "the graph in the event file is empty"
                                        : "the event file holds no graph";
    if (!m_file.hasErrors())
        m_file.problems.push_back(std::move(problem));
    else if (m_records.count() > 1 && isCutOnly(m_file.problems)) {
        problem.message += " in its " + std::to_string(m_records.count()) + " whole records";
        m_file.problems.insert(m_file.problems.begin(), std::move(problem));
    }
}

Status EventFileReader::run(const Job& job)
{
    std::string_view data;
    while (m_records.next(data)) {
        takeProblems();
        if (job.cancelled())
            return cancelledError();
        job.progress(double(m_records.position()) / double(m_file.buffer->bytes().size()));
        const Event event = readEvent(data);
        if (!event.isWhole)
            report("bad_entry", "a record is not an event");
        RETURN_IF_ERROR(takeEvent(event, job));
    }
    takeProblems();
    if (m_file.graphs.empty())
        reportNoGraph();
    return Done{};
}

// Reads the graphs of an event file and its problems.
Status readEventFile(ModelFile& file, const Job& job)
{
    return EventFileReader(file).run(job);
}

} // namespace

const FileFormatRow formats::eventFile{
    .format = FileFormat::EventFile,
    .name = "event_file",
    .title = "TensorBoard event file",
    .holdsGraphs = true,
    .read = readEventFile,
    .hasMarks = isEventFile,
};

} // namespace lapidary
