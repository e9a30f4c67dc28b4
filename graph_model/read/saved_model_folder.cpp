// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/saved_model_folder.h"

#include "graph_model/base/mapped_file.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <vector>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path& path)
{
    std::error_code fault;
    return fs::is_regular_file(path, fault);
}

bool isFolder(const fs::path& path)
{
    std::error_code fault;
    return fs::is_directory(path, fault);
}

std::vector<fs::path> filesOf(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code fault;
    for (fs::directory_iterator at(folder, fault), end; !fault && at != end && files.size() < 10000;
         at.increment(fault))
        if (isFile(at->path()))
            files.push_back(at->path());
    std::ranges::sort(files);
    return files;
}

// Returns a sentence about the content of a folder without a model, with advice for the user.
std::string hintFor(const std::vector<fs::path>& files)
{
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        if (name.ends_with(".index"))
            return "; it holds a checkpoint, open its .meta file for the graph";
        if (name == "model.json")
            return "; it holds a TensorFlow.js model, which cannot be read";
        if (name.ends_with(".pb") || name.ends_with(".pbtxt") || name.ends_with(".meta"))
            return "; open one of its files, for example " + name;
    }
    return "; choose a SavedModel's folder or a file";
}

// Returns the graph of a checkpoint folder: that of the newest checkpoint in the file `checkpoint`,
// else the only one.
fs::path metaOfCheckpoint(const fs::path& folder, const std::vector<fs::path>& files)
{
    std::vector<fs::path> metas;
    for (const fs::path& file : files)
        if (file.extension() == ".meta")
            metas.push_back(file);
    if (metas.size() < 2)
        return metas.empty() ? fs::path() : metas.front();
    const Result<BufferPtr> state = openFile(folder / "checkpoint");
    constexpr std::string_view key = "model_checkpoint_path: \"";
    if (!state || !(*state)->bytes().starts_with(key))
        return {};
    std::string_view newest = (*state)->bytes().substr(key.size());
    newest = newest.substr(0, newest.find('"'));
    fs::path meta = folder / fs::path(newest).filename();
    meta += ".meta";
    return isFile(meta) ? meta : fs::path();
}

// Returns the number of shards in the index: field 1 of its first entry's value, "" ->
// BundleHeaderProto.
std::uint64_t shardCount(std::string_view index)
{
    if (index.size() < 8 || index[0] != 0 || index[1] != 0 || index[3] != '\x08')
        return 0;
    const auto count = static_cast<unsigned char>(index[4]);
    return count < 0x80 ? count : 0;
}

std::string shardName(std::uint64_t shard, std::uint64_t count)
{
    const auto padded = [](std::uint64_t number) {
        const std::string digits = std::to_string(number);
        return std::string(5 - std::min<std::size_t>(digits.size(), 5), '0') + digits;
    };
    return "variables.data-" + padded(shard) + "-of-" + padded(count);
}

void checkVariables(const fs::path& folder, bool needsVariables, Problems& problems)
{
    const fs::path variables = folder / "variables";
    const fs::path indexPath = variables / "variables.index";
    if (!isFolder(variables)) {
        if (needsVariables)
            problems.push_back(problemAt("missing_variables", "variables",
                                         "the folder is missing: the model has no weights"));
        return;
    }
    if (!isFile(indexPath)) {
        if (needsVariables)
            problems.push_back(problemAt("missing_index", "variables/variables.index",
                                         "it is missing: the weights cannot be found"));
        return;
    }
    Result<BufferPtr> index = openFile(indexPath);
    constexpr std::string_view magic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
    if (!index || !(*index)->bytes().ends_with(magic)) {
        problems.push_back(
            problemAt("bad_magic", "variables/variables.index", "it is not a checkpoint index"));
        return;
    }
    const std::uint64_t count = shardCount((*index)->bytes());
    for (std::uint64_t shard = 0; shard < count; ++shard)
        if (!isFile(variables / shardName(shard, count)))
            problems.push_back(problemAt("missing_shard", "variables/" + shardName(shard, count),
                                         "it is missing: it holds values of the variables"));
}

bool leadsOutside(const fs::path& name)
{
    return name.is_absolute() ||
           std::ranges::any_of(name, [](const fs::path& part) { return part == ".."; });
}

void checkAssets(const fs::path& folder, const ModelFile& file, Problems& problems)
{
    std::set<std::string> names;
    for (const GraphEntry& entry : file.graphs)
        names.insert(entry.assets.begin(), entry.assets.end());
    for (const std::string& name : names) {
        if (leadsOutside(fs::path(name)))
            problems.push_back(
                problemAt("asset_outside", name,
                          "the asset " + name + " lies outside of the model; it is not opened"));
        else if (!isFile(folder / "assets" / name))
            // TensorFlow loads the model without it; only the op that reads the file fails.
            problems.push_back(problemAt("missing_asset", name,
                                         "the asset assets/" + name + " is missing",
                                         Severity::Warning));
    }
}

} // namespace

FolderContent lookIntoFolder(const fs::path& folder)
{
    FolderContent content;
    for (const char* name : {"saved_model.pb", "saved_model.pbtxt"}) {
        if (isFolder(folder / name)) {
            content.problem =
                problemAt("missing_file", {}, std::string(name) + " is a folder; a file is needed");
            return content;
        }
        if (isFile(folder / name)) {
            content.modelFile = folder / name;
            content.isSavedModel = true;
            return content;
        }
    }
    const std::vector<fs::path> files = filesOf(folder);
    content.modelFile = metaOfCheckpoint(folder, files);
    for (const fs::path& file : files)
        if (content.modelFile.extension() != ".meta" &&
            file.filename().string().find(".tfevents.") != std::string::npos)
            content.modelFile = file;
    if (content.modelFile.empty())
        content.problem = problemAt(
            "missing_file", {},
            folder.string() + " has no saved_model.pb or saved_model.pbtxt" + hintFor(files));
    return content;
}

Problems checkSavedModelFolder(const fs::path& folder, const ModelFile& file, bool needsVariables)
{
    Problems problems;
    checkVariables(folder, needsVariables, problems);
    checkAssets(folder, file, problems);
    return problems;
}

} // namespace lapidary
