// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/saved_model_reader.h"

#include "graph_model/base/text.h"
#include "graph_model/base/wire.h"
#include "graph_model/read/meta_graph_checks.h"
#include "graph_model/read/meta_graph_reader.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lapidary {
namespace {

constexpr std::uint32_t fieldSchemaVersion = 1;
constexpr std::uint32_t fieldMetaGraphs = 2;
constexpr std::uint64_t knownSchemaVersion = 1;

void append(Problems& to, Problems from)
{
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Problem problemOf(std::string kind, Severity severity, std::string where, std::string message)
{
    Problem problem;
    problem.kind = std::move(kind);
    problem.severity = severity;
    problem.node = std::move(where);
    problem.message = std::move(message);
    return problem;
}

// Removes repeated errors: a graph that was cut off and the message around it report the same one.
void dropRepeatedEnds(Problems& problems)
{
    const auto isEnd = [](const Problem& problem) {
        return problem.kind == "truncated" && problem.node.empty();
    };
    const auto first = std::ranges::find_if(problems, isEnd);
    if (first == problems.end())
        return;
    const std::optional<std::uint64_t> offset = first->offset;
    problems.erase(std::remove_if(first + 1, problems.end(),
                                  [&](const Problem& problem) {
                                      return isEnd(problem) && problem.offset == offset;
                                  }),
                   problems.end());
}

class SavedModelReader {
public:
    explicit SavedModelReader(ModelFile& file)
        : m_file(file)
    {
    }
    Result<bool> run(const Job& job);

private:
    Status takeMetaGraph(std::string_view message, bool isCut, const Job& job);
    Status takeEnd(const WireCursor& cursor, const WireField& field, const Job& job);
    void checkTags();

    ModelFile& m_file;
    std::uint64_t m_schemaVersion = knownSchemaVersion;
    bool m_hasSaver = false;
};

Status SavedModelReader::takeMetaGraph(std::string_view message, bool isCut, const Job& job)
{
    ASSIGN_OR_RETURN(MetaGraphRead result, readMetaGraph(message, m_file.buffer, 1, isCut, job));
    MetaGraphRead& read = result;
    const std::string where = "meta graph " + std::to_string(m_file.graphs.size());
    append(read.problems, read.hasGraph ? checkMetaGraph(read, true) : Problems());
    if (!read.hasGraph)
        read.problems.push_back(
            problemOf("no_graph", Severity::Error, where, where + " holds no graph"));
    if (read.entry.tags.empty())
        read.problems.push_back(
            problemOf("no_tags", Severity::Warning, where,
                      where + " has no tags: TensorFlow finds meta graphs by their tags"));
    append(read.entry.problems, std::move(read.problems));
    dropRepeatedEnds(read.entry.problems);
    m_hasSaver |= read.hasSaver && !read.restoreOp.empty() && !read.entry.variables.empty();
    WireWriter(m_file.envelope).bytes(fieldMetaGraphs, read.envelope);
    m_file.graphs.push_back(std::move(read.entry));
    return Done{};
}

Status SavedModelReader::takeEnd(const WireCursor& cursor, const WireField& field, const Job& job)
{
    const std::string_view bytes = m_file.buffer->bytes();
    const char* end = bytes.data() + bytes.size();
    const bool isOverlong = cursor.fault() == std::string_view("overlong_length");
    const std::string_view rest(field.payload, isOverlong ? std::size_t(end - field.payload) : 0);
    if (isOverlong && field.field == fieldMetaGraphs && field.number <= INT32_MAX &&
        looksCutShort(rest, MessageId::MetaGraphDef))
        return takeMetaGraph(rest, true, job);
    Problem problem = problemOf(cursor.fault(), Severity::Error, {},
                                "the SavedModel is damaged; the intact part before it is shown");
    problem.offset = std::uint64_t(cursor.faultAt() - bytes.data());
    m_file.problems.push_back(std::move(problem));
    return Done{};
}

void SavedModelReader::checkTags()
{
    std::set<std::set<std::string>> seen;
    for (const GraphEntry& entry : m_file.graphs) {
        const std::set<std::string> tags(entry.tags.begin(), entry.tags.end());
        if (tags.empty() || seen.insert(tags).second)
            continue;
        const std::string list = listed(tags);
        m_file.problems.push_back(problemOf("duplicate_tags", Severity::Error, "{" + list + "}",
                                            "two meta graphs have the tags {" + list +
                                                "}: TensorFlow finds only the first"));
    }
}

Result<bool> SavedModelReader::run(const Job& job)
{
    WireCursor cursor(m_file.buffer->bytes());
    WireField field;
    while (cursor.next(field)) {
        if (job.cancelled())
            return cancelledError();
        if (field.field == fieldMetaGraphs && field.type == WireType::Bytes) {
            RETURN_IF_ERROR(takeMetaGraph(field.bytes(), false, job));
            continue;
        }
        if (field.field == fieldSchemaVersion && field.type == WireType::Varint)
            m_schemaVersion = field.number;
        m_file.envelope.append(field.raw());
    }
    if (cursor.failed())
        RETURN_IF_ERROR(takeEnd(cursor, field, job));
    if (m_schemaVersion != knownSchemaVersion)
        m_file.problems.push_back(problemOf("version", Severity::Error, {},
                                            "the SavedModel has schema version " +
                                                std::to_string(m_schemaVersion) + ", known is 1"));
    if (m_file.graphs.empty() && !m_file.hasErrors())
        m_file.problems.push_back(
            problemOf("no_graph", Severity::Error, {}, "the SavedModel holds no meta graph"));
    checkTags();
    return m_hasSaver;
}

} // namespace

Result<bool> readMetaGraphFile(ModelFile& file, const Job& job)
{
    ASSIGN_OR_RETURN(MetaGraphRead result,
                     readMetaGraph(file.buffer->bytes(), file.buffer, 0, false, job));
    MetaGraphRead& read = result;
    const bool isLost = !read.hasGraph || (read.isGraphDamaged && read.entry.graph->size() == 0);
    if (!isLost)
        append(read.problems, checkMetaGraph(read, false));
    append(read.entry.problems, std::move(read.problems));
    dropRepeatedEnds(read.entry.problems);
    file.envelope = std::move(read.envelope);
    if (!isLost) {
        file.graphs.push_back(std::move(read.entry));
        return read.hasSaver;
    }
    append(file.problems, std::move(read.entry.problems));
    if (!read.hasGraph && !file.hasErrors())
        file.problems.push_back(
            problemOf("no_graph", Severity::Error, {}, "the meta graph holds no graph"));
    return read.hasSaver;
}

Result<bool> readSavedModel(ModelFile& file, const Job& job)
{
    return SavedModelReader(file).run(job);
}

} // namespace lapidary
