// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/file_formats.h"

#include "graph_model/read/container_marks.h"
#include "graph_model/read/event_reader.h"
#include "graph_model/read/foreign.h"
#include "graph_model/read/memmapped_package.h"
#include "graph_model/read/onnx_reader.h"
#include "graph_model/read/record_reader.h"
#include "graph_model/read/tflite_reader.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::string_view openTheGraph =
    "it holds weights and no graph; open the .meta file beside it, or the SavedModel";
constexpr std::string_view openWhatRan = "it holds a profile of a run; open the graph that was run";

constexpr std::array rows{
    FileFormatRow{.format = FileFormat::Unknown, .name = "unknown", .title = "unknown file"},
    FileFormatRow{.format = FileFormat::GraphDefBinary,
                  .name = "graph_def.binary",
                  .title = "binary GraphDef",
                  .message = MessageId::GraphDef,
                  .holdsGraphs = true},
    FileFormatRow{.format = FileFormat::GraphDefText,
                  .name = "graph_def.text",
                  .title = "text GraphDef",
                  .message = MessageId::GraphDef,
                  .isText = true,
                  .holdsGraphs = true},
    FileFormatRow{.format = FileFormat::MetaGraphBinary,
                  .name = "meta_graph_def.binary",
                  .title = "binary MetaGraphDef",
                  .message = MessageId::MetaGraphDef,
                  .holdsGraphs = true},
    FileFormatRow{.format = FileFormat::MetaGraphText,
                  .name = "meta_graph_def.text",
                  .title = "text MetaGraphDef",
                  .message = MessageId::MetaGraphDef,
                  .isText = true,
                  .holdsGraphs = true},
    FileFormatRow{.format = FileFormat::SavedModelBinary,
                  .name = "saved_model.binary",
                  .title = "SavedModel",
                  .message = MessageId::SavedModel,
                  .holdsGraphs = true},
    FileFormatRow{.format = FileFormat::SavedModelText,
                  .name = "saved_model.text",
                  .title = "text SavedModel",
                  .message = MessageId::SavedModel,
                  .isText = true,
                  .holdsGraphs = true},
    FileFormatRow{.format = FileFormat::RunMetadataBinary,
                  .name = "run_metadata.binary",
                  .title = "RunMetadata (a profile)",
                  .message = MessageId::RunMetadata,
                  .remedy = openWhatRan},
    FileFormatRow{.format = FileFormat::RunMetadataText,
                  .name = "run_metadata.text",
                  .title = "text RunMetadata (a profile)",
                  .message = MessageId::RunMetadata,
                  .isText = true,
                  .remedy = openWhatRan},
    FileFormatRow{.format = FileFormat::CheckpointState,
                  .name = "checkpoint_state",
                  .title = "checkpoint state file",
                  .message = MessageId::CheckpointState,
                  .isText = true,
                  .remedy = openTheGraph},
    FileFormatRow{.format = FileFormat::EventFile,
                  .name = "event_file",
                  .title = "TensorBoard event file",
                  .holdsGraphs = true,
                  .read = readEventFile,
                  .hasMarks = isEventFile},
    FileFormatRow{.format = FileFormat::TfRecord,
                  .name = "tfrecord",
                  .title = "TFRecord file",
                  .read = readRecordFile,
                  .hasMarks = startsWithRecord,
                  .remedy = "it holds training data and no graph"},
    FileFormatRow{.format = FileFormat::CheckpointV1,
                  .name = "checkpoint.v1",
                  .title = "checkpoint (version 1)",
                  .hasMarks = isCheckpointV1,
                  .remedy = openTheGraph},
    FileFormatRow{.format = FileFormat::CheckpointV2,
                  .name = "checkpoint.v2",
                  .title = "checkpoint (version 2)",
                  .hasMarks = isCheckpointV2,
                  .remedy = openTheGraph},
    FileFormatRow{.format = FileFormat::MemmappedPackage,
                  .name = "memmapped_package",
                  .title = "memory-mapped package",
                  .holdsGraphs = true,
                  .read = readMemmappedPackage,
                  .hasMarks = isMemmappedPackage},
    FileFormatRow{.format = FileFormat::Tflite,
                  .name = "tflite",
                  .title = "TFLite model",
                  .holdsGraphs = true,
                  .read = readTfliteFile,
                  .hasMarks = isTflite},
    FileFormatRow{.format = FileFormat::Onnx,
                  .name = "onnx",
                  .title = "ONNX model",
                  .holdsGraphs = true,
                  .read = readOnnxFile,
                  .hasFields = isOnnx},
    FileFormatRow{
        .format = FileFormat::Foreign, .name = "foreign", .title = "file of another kind"},
};

} // namespace

std::span<const FileFormatRow> fileFormats()
{
    return rows;
}

const FileFormatRow& fileFormatRow(FileFormat format)
{
    const auto row = std::ranges::find(rows, format, &FileFormatRow::format);
    return row == rows.end() ? rows.front() : *row;
}

std::string_view fileFormatName(FileFormat format)
{
    return fileFormatRow(format).name;
}

std::string_view fileFormatTitle(FileFormat format)
{
    return fileFormatRow(format).title;
}

} // namespace lapidary
