// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/file_formats.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lapidary {
namespace {

constexpr std::string_view openWhatRan = "it holds a profile of a run; open the graph that was run";

constexpr std::array messages{
    FileFormatRow{.format = FileFormat::Unknown, .name = "unknown", .title = "unknown file"},
    FileFormatRow{.format = FileFormat::GraphDefBinary,
                  .name = "graph_def.binary",
                  .title = "binary GraphDef",
                  .message = MessageId::GraphDef,
                  .holdsGraphs = true,
                  .patterns = "*.pb"},
    FileFormatRow{.format = FileFormat::GraphDefText,
                  .name = "graph_def.text",
                  .title = "text GraphDef",
                  .message = MessageId::GraphDef,
                  .isText = true,
                  .holdsGraphs = true,
                  .patterns = "*.pbtxt *.txt *.prototxt"},
    FileFormatRow{.format = FileFormat::MetaGraphBinary,
                  .name = "meta_graph_def.binary",
                  .title = "binary MetaGraphDef",
                  .message = MessageId::MetaGraphDef,
                  .holdsGraphs = true,
                  .patterns = "*.meta"},
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
                  .remedy = weightsWithoutGraph},
};

std::vector<FileFormatRow> makeRows()
{
    std::vector<FileFormatRow> rows(messages.begin(), messages.end());
    int unnamed = int(FileFormat::Foreign);
    for (const FileFormatRow* container : containerFormats()) {
        rows.push_back(*container);
        if (container->format == FileFormat::Unknown)
            rows.back().format = FileFormat(++unnamed);
    }
    rows.push_back(
        {.format = FileFormat::Foreign, .name = "foreign", .title = "file of another kind"});
    return rows;
}

} // namespace

std::span<const FileFormatRow> fileFormats()
{
    static const std::vector<FileFormatRow> rows = makeRows();
    return rows;
}

const FileFormatRow& fileFormatRow(FileFormat format)
{
    const auto rows = fileFormats();
    const auto row = std::ranges::find(rows, format, &FileFormatRow::format);
    return row == rows.end() ? rows.front() : *row;
}

std::string fileNamePatterns()
{
    std::string all;
    for (const FileFormatRow& row : fileFormats())
        if (!row.patterns.empty())
            all.append(all.empty() ? "" : " ").append(row.patterns);
    return all;
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
