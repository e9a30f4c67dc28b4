#include "graph_model/read/graph_def_reader.h"
#include "graph_model/read/mapped_file.h"
#include "graph_model/read/model_file.h"
#include "graph_model/read/sniff.h"
#include "graph_model/read/text_parser.h"

#include <utility>

namespace lapidary {
namespace {

Problem problemOfFile(std::string kind, std::string message)
{
    Problem problem;
    problem.kind = std::move(kind);
    problem.message = std::move(message);
    return problem;
}

Status readBinaryGraph(ModelFile& file, const Job& job)
{
    Result<GraphReadResult> read = readGraphDef(file.buffer->bytes(), file.buffer, 0, job);
    if (!read)
        return read.error();
    GraphEntry entry;
    entry.graph = read.value().graph;
    entry.problems = std::move(read.value().problems);
    file.graphs.push_back(std::move(entry));
    return Done{};
}

Status readTextGraph(ModelFile& file, const Job& job)
{
    std::string_view text = file.buffer->bytes();
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    Result<TextParseResult> parsed = parseTextMessage(text, MessageId::GraphDef, job);
    if (!parsed)
        return parsed.error();
    file.buffer = makeBuffer(std::move(parsed.value().encoded));
    file.problems = std::move(parsed.value().problems);
    return readBinaryGraph(file, job);
}

Result<ModelFile> readBuffer(BufferPtr buffer, const std::filesystem::path& path, const Job& job)
{
    ModelFile file;
    file.path = path;
    file.buffer = std::move(buffer);
    file.bytes = file.buffer->bytes().size();
    if (file.bytes == 0) {
        file.problems.push_back(problemOfFile("empty_file", path.string() + " is empty"));
        file.problems.back().offset = 0;
        return file;
    }
    const Sniffed sniffed = sniffFormat(file.buffer->bytes());
    file.format = sniffed.format;
    file.formatDetail = sniffed.detail;
    Status status = Done{};
    if (file.format == FileFormat::GraphDefBinary)
        status = readBinaryGraph(file, job);
    else if (file.format == FileFormat::GraphDefText)
        status = readTextGraph(file, job);
    else
        file.problems.push_back(
            problemOfFile("not_a_model", path.string() + " is no model that can be read"));
    if (!status)
        return status.error();
    return file;
}

} // namespace

Result<ModelFile> readModel(const std::filesystem::path& path, const Job& job, const ReadOptions&)
{
    Result<BufferPtr> buffer = openFile(path);
    if (!buffer)
        return buffer.error();
    return readBuffer(std::move(buffer).value(), path, job);
}

Result<ModelFile> readModelBytes(std::string bytes, std::string_view name, const Job& job,
                                 const ReadOptions&)
{
    return readBuffer(makeBuffer(std::move(bytes)), std::filesystem::path(name), job);
}

} // namespace lapidary
