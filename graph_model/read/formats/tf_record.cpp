// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/container_marks.h"
#include "graph_model/read/formats/formats.h"
#include "graph_model/read/record_reader.h"

#include <string>
#include <string_view>
#include <utility>

namespace lapidary {
namespace {

// Checks the records of training data, unless they are compressed. There is no graph, as a note
// says.
Status readRecordFile(ModelFile& file, const Job& job)
{
    RecordReader records(file.buffer->bytes());
    std::string_view data;
    while (file.formatDetail.empty() && records.next(data))
        if (job.cancelled())
            return cancelledError();
    file.isData = true;
    file.problems = records.takeProblems();
    Problem problem;
    problem.kind = "no_graph";
    problem.severity = Severity::Note;
    problem.message = file.path.string() + ": " + std::string(fileFormatRow(file.format).remedy);
    file.problems.push_back(std::move(problem));
    return Done{};
}

// Event files begin with a record too.
bool isRecordFile(std::string_view bytes)
{
    return startsWithRecord(bytes) && !isEventFile(bytes);
}

} // namespace

const FileFormatRow formats::tfRecord{
    .format = FileFormat::TfRecord,
    .name = "tfrecord",
    .title = "TFRecord file",
    .read = readRecordFile,
    .hasMarks = isRecordFile,
    .remedy = "it holds training data and no graph",
};

} // namespace lapidary
