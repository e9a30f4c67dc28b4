// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "graph_model/read/schema.h"

#include <optional>
#include <span>
#include <string_view>

namespace lapidary {

// What is known about one file format: its names, how it is told from others and how it is read.
// The row of a container stands at the end of its reader and is listed in CMakeLists.txt.
struct FileFormatRow {
    FileFormat format;
    std::string_view name;  // of `lapidary check --json`
    std::string_view title; // for people
    // One of TensorFlow's messages, in the wire format or as text.
    std::optional<MessageId> message = {};
    bool isText = false;
    bool holdsGraphs = false;
    // Fills in the graphs of a file that is not one of those messages; null where there is nothing
    // to read.
    Status (*read)(ModelFile& file, const Job& job) = nullptr;
    // Tells a container by its marks, before anything else is tried.
    bool (*hasMarks)(std::string_view bytes) = nullptr;
    // Tells a message of another program from TensorFlow's, once the bytes are known to be no text.
    bool (*hasFields)(std::string_view bytes) = nullptr;
    // What somebody who opened a file without graphs can do; empty for the general advice.
    std::string_view remedy = {};
};

// The containers of the list in CMakeLists.txt. Their rows are eventFileFormat(), tfliteFormat()
// and so on.
std::span<FileFormatRow (*const)()> containerFormats();
// Containers in the order in which their marks are looked for, messages in that of preference.
std::span<const FileFormatRow> fileFormats();
const FileFormatRow& fileFormatRow(FileFormat format);

} // namespace lapidary
