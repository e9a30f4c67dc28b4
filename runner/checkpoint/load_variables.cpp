// SPDX-License-Identifier: Apache-2.0
#include "runner/checkpoint/load_variables.h"

#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/read/saved_model_folder.h"

#include <set>
#include <system_error>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path& path)
{
    std::error_code fault;
    return fs::is_regular_file(path, fault);
}

// Finds the checkpoint of model.meta: model.index, the file model, or the shards model-*-of-*.
fs::path checkpointOfMeta(const fs::path& meta)
{
    fs::path prefix = meta;
    prefix.replace_extension();
    fs::path index = prefix;
    index += ".index";
    if (isFile(index) || isFile(prefix))
        return prefix;
    prefix += "-*-of-*";
    return matchingFiles(prefix).empty() ? fs::path() : prefix;
}

std::string withPort(const std::string& tensor)
{
    return tensor.find(':') == std::string::npos ? tensor + ":0" : tensor;
}

bool hasNode(const GraphEntry& entry, const std::string& tensor)
{
    return !tensor.empty() && entry.graph->find(parseInput(tensor).node).isValid();
}

std::string nodeName(const std::string& tensor)
{
    return std::string(parseInput(tensor).node);
}

} // namespace

fs::path checkpointBeside(const fs::path& path)
{
    std::error_code fault;
    fs::path file = path;
    if (fs::is_directory(path, fault))
        file = lookIntoFolder(path).modelFile;
    if (file.extension() == ".meta")
        return checkpointOfMeta(file);
    const std::string name = file.filename().string();
    if (name != "saved_model.pb" && name != "saved_model.pbtxt")
        return {};
    const fs::path variables = file.parent_path() / "variables";
    if (isFile(variables / "variables.index"))
        return variables / "variables";
    return matchingFiles(variables / "variables-*-of-*").empty() ? fs::path()
                                                                 : variables / "variables-*-of-*";
}

Status loadVariables(Session& session, const GraphEntry& entry, const fs::path& path,
                     const Job& job)
{
    const LoadingSteps& loading = entry.loading;
    std::error_code fault;
    const fs::path folder = fs::is_directory(path, fault) ? path : path.parent_path();
    RunRequest request;
    std::set<std::string> fed; // a file may list an asset twice
    for (const auto& [tensor, file] : loading.assets)
        if (hasNode(entry, tensor) && fed.insert(withPort(tensor)).second)
            request.feeds.emplace_back(
                withPort(tensor),
                Value::ofStrings({}, {fs::absolute(folder / "assets" / file).string()}));
    const fs::path checkpoint = checkpointBeside(path);
    if (!checkpoint.empty() && hasNode(entry, loading.restoreOp) &&
        hasNode(entry, loading.filenameTensor)) {
        RunRequest restore = request;
        restore.feeds.emplace_back(withPort(loading.filenameTensor),
                                   Value::ofStrings({}, {fs::absolute(checkpoint).string()}));
        restore.targets.push_back(nodeName(loading.restoreOp));
        if (const auto done = session.run(restore, job); !done)
            return done.error().within("the variables could not be read");
    }
    if (!hasNode(entry, loading.initOp))
        return Done{};
    request.targets.push_back(nodeName(loading.initOp));
    if (const auto done = session.run(request, job); !done)
        return done.error().within("the init operation " + loading.initOp + " failed");
    return Done{};
}

} // namespace lapidary
