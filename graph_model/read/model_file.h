// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/check/problem.h"
#include "graph_model/graph/graph.h"
#include "graph_model/read/bound_inputs.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

enum class FileFormat {
    Unknown,
    GraphDefBinary,
    GraphDefText,
    MetaGraphBinary,
    MetaGraphText,
    SavedModelBinary,
    SavedModelText,
    EventFile,
    CheckpointV1,
    CheckpointV2,
    CheckpointState,
    MemmappedPackage,
    TfRecord,
    RunMetadataBinary,
    RunMetadataText,
    Tflite,
    Onnx,
    Foreign,
};
// Returns the name in `lapidary check --json`: "graph_def.binary", "saved_model.text", ...
std::string_view fileFormatName(FileFormat format);
// Returns a title for users: "binary GraphDef", "SavedModel".
std::string_view fileFormatTitle(FileFormat format);

struct SignatureTensor {
    std::string key;    // "images"
    std::string tensor; // "x:0"; the parts of a sparse one in order, joined by ", "
    DType dtype = DType::Invalid;
    Shape shape;
};
struct Signature {
    std::string name;   // "serving_default"
    std::string method; // "tensorflow/serving/predict"
    std::vector<SignatureTensor> inputs;
    std::vector<SignatureTensor> outputs;
};
struct VariableInfo {
    std::string name;
    std::string op; // the node's op, or "checkpoint"
    DType dtype = DType::Invalid;
    Shape shape;
};

// The steps of TensorFlow's loader before the first run. Names are as in the file, empty if there
// are none.
struct LoadingSteps {
    std::string filenameTensor;                              // fed with the checkpoint's prefix
    std::string restoreOp;                                   // reads the variables
    std::string initOp;                                      // to be run once afterwards
    std::vector<std::pair<std::string, std::string>> assets; // tensor, file in the assets folder
};

// One graph of a file: the only one of a GraphDef, one for each meta graph of a SavedModel, one for
// each graph of an event file.
struct GraphEntry {
    std::string title; // "serve", "serve, gpu", "step 12"; empty for a plain GraphDef
    std::vector<std::string> tags;
    std::vector<Signature> signatures;
    std::vector<std::string> collections; // "trainable_variables (12)"
    std::vector<VariableInfo> variables;
    std::vector<std::string> assets;
    LoadingSteps loading;
    BoundInputs bound; // of a SavedModel of TensorFlow 2
    GraphPtr graph;
    Problems problems; // of this graph: from reading it and from checkGraph
};

// The readable content of a file. The input is never written to.
struct ModelFile {
    std::filesystem::path path; // as given
    FileFormat format = FileFormat::Unknown;
    std::string formatDetail;       // "PNG image" for Foreign, "gzip" for a compressed record
    std::uint64_t bytes = 0;        // of the file, or of all files of a SavedModel's graph part
    std::vector<GraphEntry> graphs; // empty if the file is refused
    Problems problems;              // of the file as a whole
    BufferPtr buffer;               // the bytes that the graphs point into (text: encoded form)
    bool isData = false;            // without a graph, but readable: a checkpoint's variables
    std::string envelope; // the message around the graph (MetaGraphDef, SavedModel), for writers

    bool isRefused() const { return graphs.empty(); }
    bool hasErrors() const;
    // Returns the index of the graph to use if none is named: the one with the tag "serve", else
    // the first.
    std::size_t usualGraph() const;
};

struct ReadOptions {
    bool check = true; // run checkGraph on each graph
};

// Opens any file and recognizes it by its content. Returns an error only if the path cannot be read
// at all; a file of another kind or one beyond repair gives a ModelFile with problems and no
// graphs.
Result<ModelFile> readModel(const std::filesystem::path& path, const Job& job,
                            const ReadOptions& options = {});
// Same for bytes in memory; `name` is used in messages.
Result<ModelFile> readModelBytes(std::string bytes, std::string_view name, const Job& job,
                                 const ReadOptions& options = {});

} // namespace lapidary
