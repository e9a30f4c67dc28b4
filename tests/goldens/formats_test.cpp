// SPDX-License-Identifier: Apache-2.0
// Sound files of every format, compared with what TensorFlow found in each.
#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/graph/function.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"

#include <map>

using namespace lapidary;
using namespace lapidary::goldens;
using nlohmann::json;

namespace {

// Returns recorded values as bytes: numbers as they are; each string after its length in eight
// bytes.
Result<std::string> recordedBytes(const Tensor& tensor)
{
    if (tensor.dtype() != DType::String)
        return tensor.values();
    ASSIGN_OR_RETURN(const auto strings, tensor.strings());
    std::string bytes;
    for (const std::string& text : strings) {
        for (int shift = 0; shift < 64; shift += 8)
            bytes += char(std::uint64_t(text.size()) >> shift & 0xFF);
        bytes += text;
    }
    return bytes;
}

bool hasError(const Problems& problems, const std::string& node)
{
    return std::ranges::any_of(problems, [&](const Problem& problem) {
        return problem.severity == Severity::Error && problem.node == node;
    });
}

// Returns the difference of a constant from the recorded one; empty if there is none.
std::string judgeConstant(const Graph& graph, const Problems& problems, const json& recorded)
{
    const std::string name = recorded.at("node").get<std::string>();
    const NodeId id = graph.find(name);
    if (!id.isValid())
        return "no such node";
    const Result<Tensor> tensor = graph.node(id).tensor();
    if (recorded.contains("error"))
        return hasError(problems, name) ? "" : "no error, but TensorFlow refuses it";
    if (!tensor.ok())
        return tensor.error().message;
    if (dtypeName(tensor->dtype()) != recorded.at("dtype").get<std::string>())
        return "dtype " + dtypeName(tensor->dtype());
    if (tensor->shape().dims != recorded.at("shape").get<std::vector<std::int64_t>>())
        return "shape " + shapeText(tensor->shape());
    if (!recorded.contains("sha256") || tensor->dtype() == DType::Resource ||
        tensor->dtype() == DType::Variant)
        return "";
    const auto bytes = recordedBytes(*tensor);
    if (!bytes.ok())
        return bytes.error().message;
    return sha256(*bytes) == recorded.at("sha256").get<std::string>() ? "" : "other values";
}

const Graph* graphOf(const Graph& main, const json& recorded)
{
    if (!recorded.contains("function"))
        return &main;
    if (main.functions() == nullptr)
        return nullptr;
    const FunctionPtr function = main.functions()->find(recorded["function"].get<std::string>());
    return function ? function->body.get() : nullptr;
}

std::vector<std::string> names(const std::vector<FunctionArgument>& arguments)
{
    std::vector<std::string> out;
    for (const FunctionArgument& argument : arguments)
        out.emplace_back(argument.name);
    return out;
}

std::string judgeFunctions(const Graph& graph, const json& recorded)
{
    const FunctionLibrary none;
    const FunctionLibrary& library = graph.functions() ? *graph.functions() : none;
    if (!recorded.contains("functions"))
        return "";
    if (library.functions.size() != recorded["functions"].size())
        return std::to_string(library.functions.size()) + " functions";
    for (const json& wanted : recorded["functions"]) {
        const std::string name = wanted.at("name").get<std::string>();
        const FunctionPtr function = library.find(name);
        if (!function || json(names(function->arguments)) != wanted.at("inputs") ||
            json(names(function->results)) != wanted.at("outputs"))
            return "another function " + name;
        const auto isReal = [](const NodePtr& node) { return !node->isSynthetic(); };
        if (std::size_t(std::ranges::count_if(function->body->nodes(), isReal)) !=
            wanted.at("nodes").get<std::size_t>())
            return "other nodes in the function " + name;
    }
    std::map<std::string, std::string> gradients;
    for (const auto& [function, gradient] : library.gradients)
        gradients.emplace(function, gradient);
    const json wanted = recorded.value("gradients", json::object());
    return wanted == json(gradients) ? "" : "other gradients";
}

std::string judgeGraph(const Graph& graph, const json& recorded)
{
    if (recorded.contains("nodes") && graph.size() != recorded["nodes"].get<std::size_t>())
        return std::to_string(graph.size()) + " nodes";
    if (recorded.contains("ops")) {
        std::map<std::string, std::size_t> ops;
        for (const NodePtr& node : graph.nodes())
            ++ops[std::string(node->op())];
        if (ops != recorded["ops"].get<std::map<std::string, std::size_t>>())
            return "other ops";
    }
    if (recorded.contains("versions")) {
        const json& versions = recorded["versions"];
        if (graph.versions().producer != versions.at("producer").get<std::int32_t>() ||
            graph.versions().minConsumer != versions.at("min_consumer").get<std::int32_t>() ||
            graph.versions().badConsumers !=
                versions.at("bad_consumers").get<std::vector<std::int32_t>>())
            return "other versions";
    }
    return judgeFunctions(graph, recorded);
}

void judgeConstants(Tally& tally, const std::string& file, const GraphEntry& entry,
                    const json& recorded)
{
    if (!recorded.contains("consts"))
        return;
    for (const json& constant : recorded["consts"]) {
        const std::string function = constant.value("function", "");
        const std::string name = file + ": " + (function.empty() ? "" : function + "/") +
                                 constant.at("node").get<std::string>();
        const Graph* where = graphOf(*entry.graph, constant);
        const std::string fault =
            where ? judgeConstant(*where, entry.problems, constant) : "no such function";
        tally.check(fault.empty(), name, fault);
    }
}

// Returns the first recorded tensor that the signature does not have under its key; empty if there
// is none.
std::string judgeTensors(const std::vector<SignatureTensor>& tensors, const json& recorded)
{
    if (tensors.size() != recorded.size())
        return std::to_string(tensors.size()) + " tensors";
    for (const SignatureTensor& tensor : tensors) {
        if (!recorded.contains(tensor.key))
            return "an unknown key " + tensor.key;
        const json& wanted = recorded[tensor.key];
        if (wanted.contains("name") && wanted["name"] != tensor.tensor)
            return tensor.key + " is " + tensor.tensor;
        if (parseDtype(wanted.at("dtype").get<std::string>()).value_or(DType::Invalid) !=
            tensor.dtype)
            return tensor.key + " is " + dtypeName(tensor.dtype);
        const bool sameShape =
            wanted.at("shape").is_null()
                ? tensor.shape.unknownRank
                : !tensor.shape.unknownRank && json(tensor.shape.dims) == wanted["shape"];
        if (!sameShape)
            return tensor.key + " has the shape " + shapeText(tensor.shape);
    }
    return "";
}

void judgeSignatures(Tally& tally, const std::string& file, const GraphEntry& entry,
                     const json& recorded)
{
    if (!recorded.contains("signatures"))
        return;
    tally.check(entry.signatures.size() == recorded["signatures"].size(), file + ": signatures",
                std::to_string(entry.signatures.size()) + " of them");
    for (const Signature& signature : entry.signatures) {
        const std::string name = file + ": signature " + signature.name;
        if (!recorded["signatures"].contains(signature.name)) {
            tally.differs(name, "not recorded");
            continue;
        }
        const json& wanted = recorded["signatures"][signature.name];
        std::string fault = wanted.at("method") == signature.method ? "" : "another method";
        if (fault.empty())
            fault = judgeTensors(signature.inputs, wanted.at("inputs"));
        if (fault.empty())
            fault = judgeTensors(signature.outputs, wanted.at("outputs"));
        tally.check(fault.empty(), name, fault);
    }
}

// Compares the graphs in the order of the events that carry them.
void judgeEvents(Tally& tally, const std::string& file, const ModelFile& model, const json& entry)
{
    std::vector<std::size_t> wanted;
    for (const json& event : entry.at("events"))
        if (event.at("what") == "graph_def" || event.at("what") == "meta_graph_def")
            wanted.push_back(event.at("nodes").get<std::size_t>());
    std::vector<std::size_t> found;
    for (const GraphEntry& graph : model.graphs)
        found.push_back(graph.graph->size());
    tally.check(found == wanted, file, "other graphs");
}

void judgeFile(Tally& tally, const std::string& name, const ModelFile& file, const json& entry)
{
    if (entry.contains("events"))
        return judgeEvents(tally, name, file, entry);
    std::vector<const json*> graphs;
    if (entry.contains("meta_graphs"))
        for (const json& metaGraph : entry["meta_graphs"])
            graphs.push_back(&metaGraph);
    else
        graphs.push_back(&entry);
    if (graphs.size() != file.graphs.size())
        return tally.differs(name, std::to_string(file.graphs.size()) + " graphs");
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        const std::string title = graphs.size() == 1 ? name : name + " (" + std::to_string(i) + ")";
        const std::string fault = judgeGraph(*file.graphs[i].graph, *graphs[i]);
        tally.check(fault.empty(), title, fault);
        judgeConstants(tally, title, file.graphs[i], *graphs[i]);
        judgeSignatures(tally, title, file.graphs[i], *graphs[i]);
    }
}

// As recordedBytes(), for a variable of a checkpoint.
std::string storedBytes(const CheckpointValue& value)
{
    if (value.dtype != DType::String)
        return value.bytes;
    std::string bytes;
    for (const std::string& text : value.strings) {
        for (int shift = 0; shift < 64; shift += 8)
            bytes += char(std::uint64_t(text.size()) >> shift & 0xFF);
        bytes += text;
    }
    return bytes;
}

std::string judgeVariable(const Checkpoint& checkpoint, const json& recorded)
{
    const auto name = recorded.at("name").get<std::string>();
    const CheckpointVariable* variable = checkpoint.find(name);
    if (variable == nullptr)
        return "no such variable";
    if (dtypeName(variable->dtype) != recorded.at("dtype").get<std::string>())
        return "dtype " + dtypeName(variable->dtype);
    if (variable->shape.dims != recorded.at("shape").get<std::vector<std::int64_t>>())
        return "shape " + shapeText(variable->shape);
    const json restored = recorded.value("restore_op", json::object());
    const json& truth = recorded.contains("sha256") ? recorded : restored;
    const CheckpointRead read = checkpoint.read(name);
    if (!truth.contains("sha256")) // the original cannot join slices of some types
        return read.problem || read.value.dims == variable->shape.dims ? "" : "another shape";
    if (read.problem)
        return read.problem->message;
    return sha256(storedBytes(read.value)) == truth["sha256"].get<std::string>() ? ""
                                                                                 : "other values";
}

// The digest covers the name and the hash of every variable.
std::string hashOfAll(const Checkpoint& checkpoint)
{
    std::string all;
    for (const CheckpointVariable& variable : checkpoint.variables())
        all += variable.name + sha256(storedBytes(checkpoint.read(variable.name).value));
    return sha256(all);
}

void judgeCheckpoint(Tally& tally, const std::string& file, const json& truth, const json& entry)
{
    const OpenedCheckpoint opened = openCheckpoint(dataRoot() / "goldens/formats" / file, Job());
    if (opened.checkpoint == nullptr)
        return tally.differs(file, opened.problems.empty() ? "" : opened.problems[0].message);
    const Checkpoint& checkpoint = *opened.checkpoint;
    if (entry.contains("same_as")) {
        for (const json& other : truth.at("files"))
            if (other.at("file") == entry["same_as"])
                judgeCheckpoint(tally, file, truth, json{{"variables", other.at("variables")}});
        return;
    }
    const std::size_t count = entry.value("variable_count", entry.at("variables").size());
    tally.check(checkpoint.variables().size() == count, file,
                std::to_string(checkpoint.variables().size()) + " variables");
    if (entry.contains("all_values_sha256"))
        tally.check(hashOfAll(checkpoint) == entry["all_values_sha256"].get<std::string>(),
                    file + ": all values", "other values");
    for (const json& variable : entry.at("variables")) {
        const std::string fault = judgeVariable(checkpoint, variable);
        tally.check(fault.empty(), file + ": " + variable.at("name").get<std::string>(), fault);
    }
}

bool isLater(const std::string& format)
{
    return format.starts_with("checkpoint_state") || format.starts_with("tfrecord.") ||
           format.starts_with("run_metadata");
}

} // namespace

TEST_CASE("formats: graphs and constants are as TensorFlow read them", "[formats]")
{
    if (!present("goldens/formats"))
        return;
    Tally tally("formats");
    const json truth = loadJson(dataRoot() / "goldens/formats/truth.json");
    for (const json& entry : truth.at("files")) {
        const std::string name = entry.at("file").get<std::string>();
        const std::string format = entry.at("format").get<std::string>();
        if (isLater(format)) {
            tally.skipped(name, "the reader of " + format + " comes later");
            continue;
        }
        if (format.starts_with("checkpoint.")) {
            judgeCheckpoint(tally, name, truth, entry);
            continue;
        }
        const auto file = readModel(dataRoot() / "goldens/formats" / name, Job());
        if (file.ok() && format == "tfrecord")
            tally.check(file->isData && !file->hasErrors(), name, "no records");
        else if (file.ok())
            judgeFile(tally, name, *file, entry);
        else
            tally.differs(name, file.error().message);
    }
    tally.finish();
}
