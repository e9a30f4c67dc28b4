// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"
#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/read/check_entry.h"
#include "graph_model/read/file_formats.h"
#include "graph_model/read/foreign.h"
#include "graph_model/read/graph_def_reader.h"
#include "graph_model/read/meta_graph_reader.h"
#include "graph_model/read/model_file.h"
#include "graph_model/read/saved_model_folder.h"
#include "graph_model/read/saved_model_reader.h"
#include "graph_model/read/sniff.h"
#include "graph_model/read/text_parser.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>
#include <utility>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

void addProblem(ModelFile& file, std::string kind, std::string message,
                std::optional<std::uint64_t> offset = {}, std::optional<int> line = {})
{
    Problem problem;
    problem.kind = std::move(kind);
    problem.message = std::move(message);
    problem.offset = offset;
    problem.line = line;
    file.problems.push_back(std::move(problem));
}

Status readGraphFile(ModelFile& file, const Job& job)
{
    ASSIGN_OR_RETURN(GraphReadResult read,
                     readGraphDef(file.buffer->bytes(), file.buffer, 0, true, job));
    const GraphPtr graph = read.graph;
    const bool isLost = read.isDamaged && graph->size() == 0 && graph->functions() == nullptr;
    if (isLost) {
        file.problems.insert(file.problems.end(), read.problems.begin(), read.problems.end());
        return Done{};
    }
    GraphEntry entry;
    entry.graph = graph;
    entry.problems = std::move(read.problems);
    entry.variables = variablesOf(*graph);
    file.graphs.push_back(std::move(entry));
    return Done{};
}

struct ReadOutcome {
    bool needsVariables = false;
};

Result<ReadOutcome> readMessage(ModelFile& file, MessageId type, const Job& job)
{
    if (type == MessageId::GraphDef) {
        RETURN_IF_ERROR(readGraphFile(file, job));
        return ReadOutcome{};
    }
    ASSIGN_OR_RETURN(bool read, type == MessageId::MetaGraphDef ? readMetaGraphFile(file, job)
                                                                : readSavedModel(file, job));
    return ReadOutcome{type == MessageId::SavedModel && read};
}

// Removes byte offsets, which mean nothing in a text, and problems that the text parser has
// reported already.
void forgetOffsets(Problems& problems)
{
    std::erase_if(problems, [](const Problem& problem) {
        return problem.kind == "bad_utf8" && problem.offset;
    });
    for (Problem& problem : problems)
        problem.offset.reset();
}

Result<ReadOutcome> readText(ModelFile& file, MessageId type, const Job& job)
{
    std::string_view text = file.buffer->bytes();
    const bool hasMark = text.starts_with(byteOrderMark);
    if (hasMark)
        text.remove_prefix(byteOrderMark.size());
    ASSIGN_OR_RETURN(TextParseResult parsed, parseTextMessage(text, type, job));
    Problems problems = std::move(parsed.problems);
    const bool isWhole = parsed.isWhole;
    file.buffer = makeBuffer(std::move(parsed.encoded));
    if (hasMark)
        problems.push_back({"bom",
                            Severity::Note,
                            {},
                            {},
                            1,
                            1,
                            "the text begins with a byte order mark; it is skipped"});
    file.problems = std::move(problems);
    if (!isWhole && file.buffer->bytes().empty())
        return ReadOutcome{};
    const std::size_t before = file.problems.size();
    Result<ReadOutcome> outcome = readMessage(file, type, job);
    Problems added(file.problems.begin() + std::ptrdiff_t(before), file.problems.end());
    file.problems.resize(before);
    forgetOffsets(added);
    file.problems.insert(file.problems.end(), added.begin(), added.end());
    for (GraphEntry& entry : file.graphs)
        forgetOffsets(entry.problems);
    return outcome;
}

std::string_view whatToDo(FileFormat format)
{
    const std::string_view remedy = fileFormatRow(format).remedy;
    return !remedy.empty()
               ? remedy
               : "open a TensorFlow graph: .pb, .pbtxt, .meta, a SavedModel or an event file, or a "
                 ".tflite or .onnx model";
}

// Returns "a PNG image", "an ELF program"; names of formats ("JSON", "gzip") get no article.
std::string withArticle(const std::string& what)
{
    constexpr std::array<std::string_view, 14> countable{"image",    "program",
                                                         "file",     "archive",
                                                         "pointer",  "array",
                                                         "notebook", "database",
                                                         "trace",    "model",
                                                         "map",      "page",
                                                         "picture",  "fingerprint of a SavedModel"};
    const std::string noun = what.substr(0, what.find(" ("));
    const bool isOne = std::ranges::any_of(
        countable, [&](std::string_view ending) { return noun.ends_with(ending); });
    const bool isVowel =
        !what.empty() && (std::string_view("AEIO").find(what[0]) != std::string::npos ||
                          what.starts_with("HTML") || what.starts_with("SVG"));
    return (isOne ? isVowel ? "an " : "a " : "") + what;
}

std::string remedyFor(const ModelFile& file)
{
    const std::string_view own =
        file.format == FileFormat::Foreign ? foreignRemedy(file.formatDetail) : std::string_view();
    return std::string(own.empty() ? whatToDo(file.format) : own);
}

void refuseForeign(ModelFile& file)
{
    const bool isForeign = file.format == FileFormat::Foreign;
    std::string what = isForeign ? file.formatDetail : std::string(fileFormatTitle(file.format));
    if (!isForeign && !file.formatDetail.empty())
        what += " (" + file.formatDetail + ")";
    const std::string_view start = file.buffer->bytes().substr(0, 256);
    const bool isText =
        std::ranges::none_of(start, [](char c) { return static_cast<signed char>(c) < 9; });
    addProblem(file, "foreign_format",
               file.path.string() + " is not a TensorFlow graph: it is " + withArticle(what) +
                   "; " + remedyFor(file),
               0, isText ? std::optional<int>(1) : std::nullopt);
}

// Returns the format that the extension of a file suggests; empty for other extensions.
std::string_view promisedBy(const fs::path& path)
{
    const std::string extension = path.extension().string();
    if (extension == ".onnx")
        return "an ONNX model";
    return extension == ".tflite" || extension == ".lite" ? "a TFLite model" : "";
}

// Returns the name of a checkpoint's index for the name of a shard; empty for others.
std::string indexOfShard(const std::string& name)
{
    const std::size_t data = name.rfind(".data-");
    const bool isShard = data != name.npos && name.find("-of-", data) != name.npos;
    return isShard ? name.substr(0, data) + ".index" : "";
}

void refuseUnknown(ModelFile& file)
{
    const std::string_view bytes = file.buffer->bytes();
    const std::string path = file.path.string();
    if (const std::string index = indexOfShard(file.path.filename().string()); !index.empty())
        return addProblem(file, "not_a_model",
                          path +
                              " is part of a checkpoint by its name, which holds weights and "
                              "no graph; open the .meta file beside it, or the SavedModel, with " +
                              index + " beside it too",
                          0);
    if (const std::string_view promised = promisedBy(file.path); !promised.empty())
        return addProblem(file, "not_a_model",
                          path + " is not " + std::string(promised) + ", despite its name" +
                              (bytes.size() < 1024
                                   ? ": it has only " + std::to_string(bytes.size()) + " bytes"
                                   : "") +
                              "; fetch or export it again",
                          0);
    if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
        return addProblem(file, "not_a_model", path + " is UTF-16 text; save it as UTF-8", 0, 1);
    const bool isText = std::ranges::none_of(bytes.substr(0, 4096), [](unsigned char c) {
        return c < 9 || (c > 13 && c < 32) || c >= 127;
    });
    addProblem(
        file, "not_a_model",
        path + (isText ? " is text, but not a TensorFlow graph" : " is not a TensorFlow graph") +
            "; " + std::string(whatToDo(FileFormat::Unknown)),
        0, isText ? std::optional<int>(1) : std::nullopt);
}

Result<ReadOutcome> readContent(ModelFile& file, const Job& job)
{
    const FileFormatRow& row = fileFormatRow(file.format);
    if (row.message && row.holdsGraphs)
        return row.isText ? readText(file, *row.message, job)
                          : readMessage(file, *row.message, job);
    if (row.read != nullptr) {
        RETURN_IF_ERROR(row.read(file, job));
    } else if (file.format == FileFormat::Unknown) {
        refuseUnknown(file);
    } else {
        refuseForeign(file);
    }
    return ReadOutcome{};
}

Result<ModelFile> checkAll(ModelFile file, const ReadOptions& options, const Job& job)
{
    for (std::size_t i = 0; options.check && i < file.graphs.size(); ++i) {
        ASSIGN_OR_RETURN(Problems found, checkEntry(file, i, job));
        Problems& all = file.graphs[i].problems;
        all.insert(all.end(), std::make_move_iterator(found.begin()),
                   std::make_move_iterator(found.end()));
    }
    if (job.cancelled())
        return cancelledError();
    return file;
}

// Returns whether a file is a checkpoint's data, which has no structure of its own; its index is in
// the same folder.
bool isCheckpointData(const fs::path& path)
{
    const std::string index = indexOfShard(path.string());
    std::error_code fault;
    return !index.empty() && fs::is_regular_file(index, fault);
}

Result<ModelFile> readCheckpoint(const fs::path& prefix, const fs::path& path,
                                 const ReadOptions& options, const Job& job);
Result<Done> checkSavedVariables(const fs::path& folder, ModelFile& file, const Job& job);

// A module of TensorFlow Hub is loaded by an empty set of tags, so that a graph without tags is
// correct.
void acceptHubModule(const fs::path& folder, ModelFile& file)
{
    std::error_code fault;
    if (!fs::exists(folder / "tfhub_module.pb", fault))
        return;
    for (GraphEntry& entry : file.graphs)
        std::erase_if(entry.problems, [](const Problem& at) { return at.kind == "no_tags"; });
}

// Returns the prefix of the checkpoint of an index, a shard or a file of version 1; empty for other
// files, and for bytes that are not from a file.
fs::path checkpointPrefixOf(const ModelFile& file)
{
    std::error_code fault;
    if (!fs::is_regular_file(file.path, fault))
        return {};
    const std::string name = file.path.string();
    if (file.format == FileFormat::CheckpointV1)
        return file.path;
    if (file.format != FileFormat::CheckpointV2)
        return {};
    const std::size_t end = name.ends_with(".index") ? name.size() - 6 : name.rfind(".data-");
    return end == std::string::npos ? fs::path() : fs::path(name.substr(0, end));
}

Result<ModelFile> readBuffer(BufferPtr buffer, const fs::path& path, const fs::path& folder,
                             FileFormat expected, const ReadOptions& options, const Job& job)
{
    ModelFile file;
    file.path = path;
    file.buffer = std::move(buffer);
    file.bytes = file.buffer->bytes().size();
    if (file.bytes == 0 && path.extension() == ".tfrecord") {
        file.format = FileFormat::TfRecord; // an empty file has no records and no other format
        file.isData = true;
        return file;
    }
    if (file.bytes == 0) {
        file.format = expected;
        addProblem(file, "empty_file", path.string() + " is empty; copy or download it again", 0);
        return file;
    }
    Sniffed sniffed = sniffFormat(file.buffer->bytes());
    file.format = sniffed.format;
    file.formatDetail = std::move(sniffed.detail);
    // Many kinds of messages begin with the same few bytes.
    constexpr std::uint64_t certain = 32;
    if (file.bytes < certain && fileFormatRow(file.format).message && !promisedBy(path).empty())
        file.format = FileFormat::Unknown;
    if (file.format == FileFormat::Unknown && expected != FileFormat::Unknown)
        file.format = expected;
    if (file.format == FileFormat::Unknown && isCheckpointData(path))
        file.format = FileFormat::CheckpointV2;
    if (const fs::path prefix = checkpointPrefixOf(file); !prefix.empty())
        return readCheckpoint(prefix, path, options, job);
    ASSIGN_OR_RETURN(ReadOutcome outcome, readContent(file, job));
    const bool isSavedModel =
        file.format == FileFormat::SavedModelBinary || file.format == FileFormat::SavedModelText;
    if (isSavedModel && !folder.empty())
        acceptHubModule(folder, file);
    if (isSavedModel && !folder.empty() && !file.isRefused())
        for (Problem& problem : checkSavedModelFolder(folder, file, outcome.needsVariables))
            file.problems.push_back(std::move(problem));
    if (isSavedModel && !folder.empty() && options.check && !file.isRefused())
        RETURN_IF_ERROR(checkSavedVariables(folder, file, job));
    return checkAll(std::move(file), options, job);
}

// Returns whether the path is the prefix of several files, or a pattern, as given to a saver.
bool isCheckpointPrefix(const fs::path& path)
{
    std::error_code fault;
    fs::path index = path;
    index += ".index";
    return !fs::exists(path, fault) &&
           (fs::is_regular_file(index, fault) || !matchingFiles(path).empty());
}

// Reads a checkpoint, which has variables and no graph; the error says so.
Result<ModelFile> readCheckpoint(const fs::path& prefix, const fs::path& path,
                                 const ReadOptions& options, const Job& job)
{
    ModelFile file;
    file.path = path;
    OpenedCheckpoint opened = openCheckpoint(prefix, job);
    file.format = opened.version == 2 ? FileFormat::CheckpointV2 : FileFormat::CheckpointV1;
    file.problems = std::move(opened.problems);
    file.buffer = makeBuffer({});
    if (job.cancelled())
        return cancelledError();
    if (opened.checkpoint == nullptr)
        return file;
    file.isData = true;
    addProblem(file, "no_graph",
               path.string() + " holds " + std::to_string(opened.checkpoint->variables().size()) +
                   " variables; " + std::string(whatToDo(file.format)));
    file.problems.back().severity = Severity::Note;
    if (!options.check)
        return file;
    ASSIGN_OR_RETURN(Problems values, checkValues(*opened.checkpoint, job));
    file.problems.insert(file.problems.end(), std::make_move_iterator(values.begin()),
                         std::make_move_iterator(values.end()));
    return file;
}

// Checks the values of a SavedModel's variables on disk.
Result<Done> checkSavedVariables(const fs::path& folder, ModelFile& file, const Job& job)
{
    std::error_code fault;
    const fs::path prefix = folder / "variables" / "variables";
    if (!fs::is_regular_file(folder / "variables" / "variables.index", fault))
        return Done{};
    OpenedCheckpoint opened = openCheckpoint(prefix, job);
    if (opened.checkpoint == nullptr)
        return Done{};
    ASSIGN_OR_RETURN(Problems values, checkValues(*opened.checkpoint, job));
    for (Problem& problem : values)
        if (problem.kind != "missing_shard")
            file.problems.push_back(std::move(problem));
    return Done{};
}

Result<ModelFile> readFolder(const fs::path& path, const ReadOptions& options, const Job& job)
{
    FolderContent content = lookIntoFolder(path);
    if (content.modelFile.empty()) {
        ModelFile file;
        file.path = path;
        file.problems.push_back(std::move(content.problem));
        return file;
    }
    ASSIGN_OR_RETURN(BufferPtr buffer, openFile(content.modelFile));
    const bool isText = content.modelFile.extension() == ".pbtxt";
    const FileFormat expected = !content.isSavedModel ? FileFormat::Unknown
                                : isText              ? FileFormat::SavedModelText
                                                      : FileFormat::SavedModelBinary;
    Result<ModelFile> file =
        readBuffer(std::move(buffer), content.modelFile, content.isSavedModel ? path : fs::path(),
                   expected, options, job);
    if (file)
        file->path = path;
    return file;
}

} // namespace

Result<ModelFile> readModel(const fs::path& path, const Job& job, const ReadOptions& options)
{
    std::error_code fault;
    if (fs::is_directory(path, fault))
        return readFolder(path, options, job);
    if (isCheckpointPrefix(path))
        return readCheckpoint(path, path, options, job);
    ASSIGN_OR_RETURN(BufferPtr buffer, openFile(path));
    const std::string name = path.filename().string();
    const bool isInFolder = name == "saved_model.pb" || name == "saved_model.pbtxt";
    fs::path folder = isInFolder ? path.parent_path() : fs::path();
    if (isInFolder && folder.empty())
        folder = ".";
    return readBuffer(std::move(buffer), path, folder, FileFormat::Unknown, options, job);
}

Result<ModelFile> readModelBytes(std::string bytes, std::string_view name, const Job& job,
                                 const ReadOptions& options)
{
    return readBuffer(makeBuffer(std::move(bytes)), fs::path(name), {}, FileFormat::Unknown,
                      options, job);
}

} // namespace lapidary
