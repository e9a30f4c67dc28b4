// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"

#include <algorithm>

namespace lapidary {

std::string_view fileFormatName(FileFormat format)
{
    switch (format) {
    case FileFormat::Unknown: return "unknown";
    case FileFormat::GraphDefBinary: return "graph_def.binary";
    case FileFormat::GraphDefText: return "graph_def.text";
    case FileFormat::MetaGraphBinary: return "meta_graph_def.binary";
    case FileFormat::MetaGraphText: return "meta_graph_def.text";
    case FileFormat::SavedModelBinary: return "saved_model.binary";
    case FileFormat::SavedModelText: return "saved_model.text";
    case FileFormat::EventFile: return "event_file";
    case FileFormat::CheckpointV1: return "checkpoint.v1";
    case FileFormat::CheckpointV2: return "checkpoint.v2";
    case FileFormat::CheckpointState: return "checkpoint_state";
    case FileFormat::MemmappedPackage: return "memmapped_package";
    case FileFormat::TfRecord: return "tfrecord";
    case FileFormat::RunMetadataBinary: return "run_metadata.binary";
    case FileFormat::RunMetadataText: return "run_metadata.text";
    case FileFormat::Tflite: return "tflite";
    case FileFormat::Onnx: return "onnx";
    case FileFormat::Foreign: return "foreign";
    }
    return "unknown";
}

std::string_view fileFormatTitle(FileFormat format)
{
    switch (format) {
    case FileFormat::Unknown: return "unknown file";
    case FileFormat::GraphDefBinary: return "binary GraphDef";
    case FileFormat::GraphDefText: return "text GraphDef";
    case FileFormat::MetaGraphBinary: return "binary MetaGraphDef";
    case FileFormat::MetaGraphText: return "text MetaGraphDef";
    case FileFormat::SavedModelBinary: return "SavedModel";
    case FileFormat::SavedModelText: return "text SavedModel";
    case FileFormat::EventFile: return "TensorBoard event file";
    case FileFormat::CheckpointV1: return "checkpoint (version 1)";
    case FileFormat::CheckpointV2: return "checkpoint (version 2)";
    case FileFormat::CheckpointState: return "checkpoint state file";
    case FileFormat::MemmappedPackage: return "memory-mapped package";
    case FileFormat::TfRecord: return "TFRecord file";
    case FileFormat::RunMetadataBinary: return "RunMetadata (a profile)";
    case FileFormat::RunMetadataText: return "text RunMetadata (a profile)";
    case FileFormat::Tflite: return "TFLite model";
    case FileFormat::Onnx: return "ONNX model";
    case FileFormat::Foreign: return "file of another kind";
    }
    return "unknown file";
}

bool ModelFile::hasErrors() const
{
    const auto isError = [](const Problem& problem) { return problem.severity == Severity::Error; };
    return std::ranges::any_of(problems, isError) ||
           std::ranges::any_of(graphs, [&](const GraphEntry& entry) {
               return std::ranges::any_of(entry.problems, isError);
           });
}

} // namespace lapidary
