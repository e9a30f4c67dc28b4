#include "graph_model/read/event_reader.h"

#include "graph_model/base/crc32c.h"
#include "graph_model/read/graph_def_reader.h"
#include "graph_model/read/meta_graph_checks.h"
#include "graph_model/read/meta_graph_reader.h"
#include "graph_model/read/wire_cursor.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lapidary {
namespace {

constexpr std::size_t headerSize = 12; // length and its checksum
constexpr std::size_t footerSize = 4;  // checksum of the data
constexpr std::string_view versionPrefix = "brain.Event:";
constexpr std::string_view currentVersion = "2";

template <class Number>
Number readNumber(std::string_view bytes, std::size_t at)
{
    Number number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    return number;
}

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

class EventFileReader {
public:
    explicit EventFileReader(ModelFile& file)
        : m_file(file)
        , m_bytes(file.buffer->bytes())
    {
    }

    Status run(const Job& job);

private:
    bool readRecord(std::string_view& data);
    Status takeEvent(const Event& event, const Job& job);
    void addEntry(GraphEntry entry, const Event& event, const char* suffix);
    void report(std::string kind, std::string message, Severity severity = Severity::Error);

    ModelFile& m_file;
    std::string_view m_bytes;
    std::size_t m_at = 0;     // behind the record
    std::size_t m_record = 0; // where the record starts
    std::size_t m_emptyGraphs = 0;
};

void EventFileReader::report(std::string kind, std::string message, Severity severity)
{
    message += " (record at byte " + std::to_string(m_record) + ")";
    m_file.problems.push_back(
        {std::move(kind), severity, {}, std::uint64_t(m_record), {}, {}, std::move(message)});
}

// False at the end of what can be read.
bool EventFileReader::readRecord(std::string_view& data)
{
    m_record = m_at;
    const std::size_t left = m_bytes.size() - m_at;
    if (left == 0)
        return false;
    if (left < headerSize) {
        report("truncated", "the file ends inside a record's header");
        return false;
    }
    const auto length = readNumber<std::uint64_t>(m_bytes, m_at);
    if (maskedCrc32c(m_bytes.substr(m_at, 8)) != readNumber<std::uint32_t>(m_bytes, m_at + 8)) {
        report("bad_crc",
               "the checksum of a record's length does not match; what follows cannot be read");
        return false;
    }
    if (length > left - headerSize || length + footerSize > left - headerSize) {
        report(length > INT32_MAX ? "overlong_length" : "truncated",
               "the file ends inside a record of " + std::to_string(length) + " bytes");
        return false;
    }
    data = m_bytes.substr(m_at + headerSize, std::size_t(length));
    m_at += headerSize + std::size_t(length) + footerSize;
    if (maskedCrc32c(data) != readNumber<std::uint32_t>(m_bytes, m_at - footerSize))
        report("bad_crc", "the checksum of a record does not match: its content is damaged");
    return true;
}

void EventFileReader::addEntry(GraphEntry entry, const Event& event, const char* suffix)
{
    // The place that counts in an event file is the record; the exact byte stands in the message.
    for (Problem& problem : entry.problems)
        if (problem.offset)
            problem.offset = m_record;
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
        Result<GraphReadResult> read = readGraphDef(event.graph, m_file.buffer, 0, false, job);
        if (!read)
            return read.error();
        GraphEntry entry;
        entry.graph = read.value().graph;
        entry.problems = std::move(read.value().problems);
        entry.variables = variablesOf(*entry.graph);
        addEntry(std::move(entry), event, "");
    }
    if (event.hasMetaGraph) {
        Result<MetaGraphRead> read = readMetaGraph(event.metaGraph, m_file.buffer, 0, false, job);
        if (!read)
            return read.error();
        GraphEntry entry = std::move(read.value().entry);
        read.value().entry.graph = entry.graph;
        read.value().entry.signatures = entry.signatures;
        for (Problems problems : {read.value().problems, checkMetaGraph(read.value(), false)})
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

Status EventFileReader::run(const Job& job)
{
    std::string_view data;
    while (readRecord(data)) {
        if (job.cancelled())
            return Error{ErrorCode::Cancelled, "stopped"};
        job.progress(double(m_at) / double(m_bytes.size()));
        const Event event = readEvent(data);
        if (!event.isWhole)
            report("bad_entry", "a record is no event");
        if (Status taken = takeEvent(event, job); !taken)
            return taken;
    }
    if (m_file.graphs.empty() && !m_file.hasErrors()) {
        Problem problem;
        problem.kind = "no_graph";
        problem.message = m_emptyGraphs > 0 ? "the graph in the event file is empty"
                                            : "the event file holds no graph";
        m_file.problems.push_back(std::move(problem));
    }
    return Done{};
}

} // namespace

Status readEventFile(ModelFile& file, const Job& job)
{
    return EventFileReader(file).run(job);
}

} // namespace lapidary
