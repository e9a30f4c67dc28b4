// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/check/problem.h"
#include "graph_model/graph/graph.h"

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
// The words of `lapidary check --json`: "graph_def.binary", "saved_model.text", ...
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

// The steps of TensorFlow's loader before the first run; names as in the file, empty if it has
// none.
struct LoadingSteps {
    std::string filenameTensor;                              // fed with the checkpoint's prefix
    std::string restoreOp;                                   // reads the variables
    std::string initOp;                                      // run once afterwards
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
    GraphPtr graph;
    Problems problems; // of this graph: from reading it and from checkGraph
};

// A file as far as it could be read. The input is never written to.
struct ModelFile {
    std::filesystem::path path; // as asked for
    FileFormat format = FileFormat::Unknown;
    std::string formatDetail;       // "PNG image" for Foreign, "gzip" for a compressed record
    std::uint64_t bytes = 0;        // of the file, or of all files of a SavedModel's graph part
    std::vector<GraphEntry> graphs; // empty where the file is refused
    Problems problems;              // of the file as a whole
    BufferPtr buffer;               // the bytes the graphs point into (of a text: the encoded form)
    bool isData = false;            // no graph, but understood: a checkpoint's variables
    std::string envelope; // what surrounds the graph (MetaGraphDef, SavedModel), for writers

    bool isRefused() const { return graphs.empty(); }
    bool hasErrors() const;
    // The number of the graph that is meant where none is named: the one that is tagged "serve",
    // else the first.
    std::size_t usualGraph() const;
};

struct ReadOptions {
    bool check = true; // run checkGraph on each graph
};

// Opens anything, deciding by content. An Error only where the path cannot be read at all; a file
// of another kind or one that is beyond repair gives a ModelFile without graphs and with problems.
Result<ModelFile> readModel(const std::filesystem::path& path, const Job& job,
                            const ReadOptions& options = {});
// Does the same for bytes that are already in memory; `name` is shown in messages.
Result<ModelFile> readModelBytes(std::string bytes, std::string_view name, const Job& job,
                                 const ReadOptions& options = {});

} // namespace lapidary
