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
// the end of its reader, in a source of the folder formats.
struct FileFormatRow {
    // Set for a format that other code refers to. Otherwise Unknown: fileFormats() gives the row a
    // number beyond all members.
    FileFormat format = FileFormat::Unknown;
    std::string_view name;  // of `lapidary check --json`
    std::string_view title; // for people
    // Set if the file is one of TensorFlow's messages, in the wire format or as text.
    std::optional<MessageId> message = {};
    bool isText = false;
    bool holdsGraphs = false;
    // Reads the graphs of a file that is not one of those messages; null if there is nothing to
    // read.
    Status (*read)(ModelFile& file, const Job& job) = nullptr;
    // Recognizes a container by its marks, before anything else is tried. No two containers may
    // accept the same whole file: their order is that of the names of their sources.
    bool (*hasMarks)(std::string_view bytes) = nullptr;
    // Distinguishes a message of another program from those of TensorFlow, once the bytes are known
    // not to be text.
    bool (*hasFields)(std::string_view bytes) = nullptr;
    // Advice for a user who opened a file without graphs; empty for the general advice.
    std::string_view remedy = {};
    // Patterns of such files' names for dialogs: "*.pbtxt *.prototxt".
    std::string_view patterns = {};
};

// The remedy for checkpoints.
inline constexpr std::string_view weightsWithoutGraph =
    "it holds weights and no graph; open the .meta file beside it, or the SavedModel";

// The rows of the folder formats.
std::span<const FileFormatRow* const> containerFormats();
// Returns the rows of messages in order of preference, then those of containers.
std::span<const FileFormatRow> fileFormats();
const FileFormatRow& fileFormatRow(FileFormat format);
// Returns the patterns of all formats, separated by spaces.
std::string fileNamePatterns();

} // namespace lapidary
