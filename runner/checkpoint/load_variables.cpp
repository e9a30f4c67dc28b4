// SPDX-License-Identifier: Apache-2.0
#include "runner/checkpoint/load_variables.h"

#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/read/saved_model_folder.h"
#include "runner/checkpoint/fill_tables.h"
#include "runner/checkpoint/variable_reader.h"

#include <algorithm>
#include <charconv>
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

// Returns the checkpoint of model.meta: model.index, the file model, or the shards model-*-of-*.
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

// Returns whether the file says how a session of the graph begins, but has no init operation.
bool fillsTablesFirst(const GraphEntry& entry)
{
    const LoadingSteps& loading = entry.loading;
    return !hasNode(entry, loading.initOp) &&
           (hasNode(entry, loading.restoreOp) || !loading.assets.empty());
}

Result<Value> valueFrom(CheckpointValue stored, MemoryPool& pool)
{
    if (stored.dtype == DType::String)
        return Value::ofStrings(std::move(stored.dims), std::move(stored.strings));
    auto made = Value::make(stored.dtype, std::move(stored.dims), pool);
    if (made)
        copyFileBytes(stored.bytes, *made);
    return made;
}

// Restores variables for a graph without nodes that do (the network of a signature, or the result
// of a pass), and variables that such nodes leave without a value, as in Keras 3, whose nodes only
// fill copies. Variables that the checkpoint does not have stay without a value.
Status readVariables(Session& session, const GraphEntry& entry, const fs::path& checkpoint,
                     const Job& job)
{
    const GraphPtr& graph = entry.graph;
    std::vector<NodeId> variables;
    for (std::uint32_t i = 0; i < graph->size(); ++i)
        if (const Node& node = graph->node(NodeId{i});
            isStoredVariable(node.op()) && !session.hasVariable(node))
            variables.push_back(NodeId{i});
    if (variables.empty())
        return Done{};
    ASSIGN_OR_RETURN(const auto reader, VariableReader::open(graph, checkpoint, job, entry.bound));
    for (const NodeId id : variables) {
        if (job.cancelled())
            return cancelledError();
        if (reader.find(id).key.empty()) {
            session.setAbsent(graph->node(id), checkpoint.filename().string());
            continue;
        }
        ASSIGN_OR_RETURN(auto stored, reader.read(id));
        ASSIGN_OR_RETURN(auto value, valueFrom(std::move(stored), session.pool()));
        session.setVariable(graph->node(id), std::move(value));
    }
    return Done{};
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

std::string missingShard(const fs::path& checkpoint)
{
    fs::path index = checkpoint;
    index += ".index";
    if (!isFile(index))
        return {}; // a checkpoint of the first version has no index
    const std::string beginning = checkpoint.filename().string() + ".data-";
    const fs::path folder = checkpoint.has_parent_path() ? checkpoint.parent_path() : fs::path(".");
    std::set<std::string> found;
    std::error_code fault;
    for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
        if (const std::string name = at->path().filename().string(); name.starts_with(beginning))
            found.insert(name);
    if (found.empty())
        return beginning + "*";
    const std::string_view first = *found.begin(); // NAME.data-00000-of-00002
    const std::string_view of = first.substr(std::min(first.rfind("-of-"), first.size()));
    std::size_t wanted = 0;
    if (of.size() > 4)
        std::from_chars(of.data() + 4, of.data() + of.size(), wanted);
    constexpr std::size_t digits = 5;
    for (std::size_t i = 0; i < std::min(wanted, found.size() + 1); ++i) {
        std::string number = std::to_string(i);
        number.insert(0, digits - std::min(number.size(), digits), '0');
        if (const std::string name = beginning + number + std::string(of); !found.contains(name))
            return name;
    }
    return {};
}

std::string valuesAreMissing(const fs::path& checkpoint, const std::string& shard)
{
    return "the values of its variables are in " + shard + ", which is missing beside " +
           checkpoint.filename().string() + ".index";
}

std::string variablesAreMissing(const GraphEntry& entry, const fs::path& path)
{
    std::error_code fault;
    const fs::path file = fs::is_directory(path, fault) ? lookIntoFolder(path).modelFile : path;
    const std::string name = file.filename().string();
    const bool isRestored = hasNode(entry, entry.loading.restoreOp) && !entry.variables.empty();
    if ((name != "saved_model.pb" && name != "saved_model.pbtxt") || !isRestored ||
        !checkpointBeside(file).empty())
        return {};
    return "the values of its variables are in the folder 'variables', which is missing beside " +
           name;
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
    const bool canRestore =
        hasNode(entry, loading.restoreOp) && hasNode(entry, loading.filenameTensor);
    if (const std::string missing = variablesAreMissing(entry, path); !missing.empty())
        return Error{ErrorCode::NotFound, missing + "; fetch it too"};
    if (!checkpoint.empty() && canRestore) {
        if (const std::string shard = missingShard(checkpoint); !shard.empty())
            return Error{ErrorCode::NotFound,
                         valuesAreMissing(checkpoint, shard) + "; fetch it too"};
        RunRequest restore = request;
        restore.feeds.emplace_back(withPort(loading.filenameTensor),
                                   Value::ofStrings({}, {fs::absolute(checkpoint).string()}));
        restore.targets.push_back(nodeName(loading.restoreOp));
        if (const auto done = session.run(restore, job); !done)
            return done.error().within("the variables could not be read");
    }
    if (!checkpoint.empty())
        RETURN_IF_ERROR(readVariables(session, entry, checkpoint, job));
    if (fillsTablesFirst(entry))
        return fillTables(session, tableFillers(*entry.graph), std::move(request), job);
    if (!hasNode(entry, loading.initOp))
        return fillTables(session, certainFillers(*entry.graph), std::move(request), job);
    request.targets.push_back(nodeName(loading.initOp));
    if (const auto done = session.run(request, job); !done)
        return done.error().within("the init operation " + loading.initOp + " failed");
    return Done{};
}

} // namespace lapidary
