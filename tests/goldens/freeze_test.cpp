// SPDX-License-Identifier: Apache-2.0
// freeze_graph, called by a link of that name in a copy of the recorded folder.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/goldens/error_reasons.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/run_cases.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Copies the inputs and damages the checkpoint as the name of the case says.
void placeInputs(const fs::path& inputs, const std::string& name)
{
    fs::copy(inputs, ".", fs::copy_options::recursive);
    const fs::path data = "v2.data-00000-of-00001";
    if (name == "ref/checkpoint_truncated_data")
        fs::resize_file(data, fs::file_size(data) / 2);
    if (name == "ref/checkpoint_corrupt_data" || name == "ref/checkpoint_corrupt_index") {
        const fs::path file = name.ends_with("data") ? data : fs::path("v2.index");
        std::string bytes = readBytes(file);
        for (char& byte : bytes)
            byte = char(byte ^ 0x15);
        writeBytes(fs::absolute(file), bytes);
    }
}

// Runs the frozen graph on the folder's feeds and compares with the values of the unfrozen one.
std::string numbersDiffer(const fs::path& file, const json& facts)
{
    const auto model = readModel(file, Job());
    if (!model || model->graphs.empty())
        return "the written graph cannot be read";
    const json& check = facts["check"];
    json step = {{"feeds", check["feeds"]}, {"fetches", json::array()}, {"values", json::array()}};
    const GraphPtr& graph = model->graphs.front().graph;
    for (std::size_t i = 0; i < check["fetches"].size(); ++i) {
        const std::string fetch = check["fetches"][i].get<std::string>();
        if (!graph->find(parseInput(fetch).node).isValid())
            continue; // the case asks for another output
        step["fetches"].push_back(fetch);
        step["values"].push_back(check["values"][i]);
        if (step["values"].back()["dtype"] == "float16") // its name in NumPy
            step["values"].back()["dtype"] = "half";
    }
    if (step["fetches"].empty())
        return "";
    Session session(graph, {});
    RunRequest request;
    for (const auto& [name, tensor] : check["feeds"].items()) {
        auto value = decodeTensor(tensor, session.pool());
        if (!value)
            return value.error().message;
        if (graph->find(parseInput(name).node).isValid())
            request.feeds.emplace_back(name, *value);
    }
    for (const json& fetch : step["fetches"])
        request.fetches.push_back(fetch.get<std::string>());
    const auto values = session.run(request, Job());
    if (!values)
        return values.error().message;
    for (std::size_t i = 0; i < values->size(); ++i)
        if (std::string what = compareTensor((*values)[i], step["values"][i], json::object());
            !what.empty())
            return request.fetches[i] + ": " + what;
    return "";
}

bool stillHasVariables(const fs::path& file)
{
    const auto model = readModel(file, Job());
    if (!model || model->graphs.empty())
        return true;
    for (const NodePtr& node : model->graphs.front().graph->nodes())
        if (node->op() == "VariableV2" || node->op() == "VarHandleOp" || node->op() == "Variable")
            return true;
    return false;
}

// Cases in which the original gives up although the model can be frozen: an IndexError for resource
// variables from a plain checkpoint, partitioned variables and object-based checkpoints that it
// does not read, a device that the machine does not have (errata: freeze them). What we write has
// to compute what the unfrozen model does.
bool isFrozenHereOnly(const std::string& name)
{
    constexpr std::string_view names[] = {"object_based",
                                          "partitioned/checkpoint",
                                          "partitioned_resource/checkpoint",
                                          "ref_devices/keep_devices",
                                          "resource/blacklist",
                                          "resource/text",
                                          "resource/v1",
                                          "resource/v2",
                                          "resource_cond",
                                          "resource_gather",
                                          "resource_gather/blacklist",
                                          "resource_while"};
    return std::ranges::find(names, name) != std::end(names);
}

// Checks a graph in which one variable was to stay: it is there, and its readers are valid.
std::string keptFault(const fs::path& file)
{
    const auto model = readModel(file, Job());
    if (!stillHasVariables(file))
        return "the variable that was to stay is gone";
    return model->hasErrors() ? model->graphs.front().problems.front().message : "";
}

std::string differenceToTruth(const json& recorded, const json& facts, const Ran& ran)
{
    if (recorded["exit"].get<int>() == 0)
        return "the original freezes it too";
    if (ran.exitCode != 0)
        return "exit " + std::to_string(ran.exitCode) + ": " + ran.err.substr(0, 300);
    if (recorded["args"].dump().find("_blacklist") != std::string::npos)
        return keptFault("out.pb");
    return stillHasVariables("out.pb") ? "a variable is left" : numbersDiffer("out.pb", facts);
}

std::string difference(const json& recorded, const json& facts, const Ran& ran)
{
    if (ran.exitCode != recorded["exit"].get<int>())
        return "exit " + std::to_string(ran.exitCode) + ", not " + recorded["exit"].dump() + ": " +
               ran.err.substr(0, 300);
    // The original runs the meta graph without values if both are given; here this is refused.
    if (recorded["name"] == "ref/meta_and_graph")
        return ran.err.find("not both") == std::string::npos ? ran.err : "";
    if (ran.exitCode != 0 && recorded["exception"].is_object())
        return reasonFault({{"message", recorded["exception"]["message"]}}, ran.err);
    if (ran.exitCode != 0)
        return ran.err.empty() ? "fails without a word" : "";
    const bool writes = recorded.contains("graph_out");
    if (writes != fs::exists("out.pb"))
        return writes ? "out.pb was not written" : "out.pb was written";
    if (!writes)
        return "";
    const bool asksForVariables = recorded["args"].dump().find("_blacklist") != std::string::npos ||
                                  recorded["args"].dump().find("_whitelist") != std::string::npos;
    if (!asksForVariables && stillHasVariables("out.pb"))
        return "a variable is left";
    // If the original's graph does not run, there is nothing to compare with.
    const bool hasNumbers = !asksForVariables && !recorded["check"].contains("error");
    return hasNumbers ? numbersDiffer("out.pb", facts) : "";
}

} // namespace

TEST_CASE("freeze_graph freezes what the original froze, to the same numbers", "[freeze]")
{
    if (!present("goldens/freeze"))
        return;
    const fs::path folder = dataRoot() / "goldens/freeze";
    const json inputs = loadJson(folder / "inputs.json");
    Tally tally("freeze");
    WorkingFolder work;
    for (const json& recorded : loadCases(folder / "freeze_graph.jsonl")) {
        work.clear();
        const std::string name = recorded["name"].get<std::string>();
        const fs::path from = dataRoot() / recorded["inputs"].get<std::string>();
        placeInputs(from, name);
        std::vector<std::string> call{"freeze_graph"};
        for (const json& argument : recorded["args"])
            call.push_back(argument.get<std::string>());
        const Ran ran = runProgram(call);
        const json& facts = inputs[from.filename().string()];
        if (isFrozenHereOnly(name))
            tally.count("the original gives up, and ours computes what the model does");
        const std::string what = isFrozenHereOnly(name) ? differenceToTruth(recorded, facts, ran)
                                                        : difference(recorded, facts, ran);
        tally.check(what.empty(), name, what);
    }
    tally.finish();
}

} // namespace lapidary::goldens
