// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "graph_model/read/schema.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// One file format: its names, how it is recognized and how it is read. The row of a container is at
// the end of its reader, a source of the folder formats.
struct FileFormatRow {
    // A member for a format that other code asks for. Otherwise unset: fileFormats() gives the row
    // a number beyond all members.
    FileFormat format = FileFormat::Unknown;
    std::string_view name;  // of `lapidary check --json`
    std::string_view title; // for people
    // One of TensorFlow's messages, in the wire format or as text.
    std::optional<MessageId> message = {};
    bool isText = false;
    bool holdsGraphs = false;
    // Fills in the graphs of a file that is not one of those messages; null where there is nothing
    // to read.
    Status (*read)(ModelFile& file, const Job& job) = nullptr;
    // Tells a container by its marks, before anything else is tried. No two containers may accept
    // the same whole file: their order is that of the names of their sources.
    bool (*hasMarks)(std::string_view bytes) = nullptr;
    // Tells a message of another program from TensorFlow's, once the bytes are known to be no text.
    bool (*hasFields)(std::string_view bytes) = nullptr;
    // What a user who opened a file without graphs can do; empty for the general advice.
    std::string_view remedy = {};
    // Patterns of such files' names for dialogs: "*.pbtxt *.prototxt".
    std::string_view patterns = {};
};

// The remedy for checkpoints.
inline constexpr std::string_view weightsWithoutGraph =
    "it holds weights and no graph; open the .meta file beside it, or the SavedModel";

// The rows of the folder formats.
std::span<const FileFormatRow* const> containerFormats();
// Messages in the order of preference, then containers.
std::span<const FileFormatRow> fileFormats();
const FileFormatRow& fileFormatRow(FileFormat format);
// The patterns of all of them, separated by spaces.
std::string fileNamePatterns();

} // namespace lapidary
