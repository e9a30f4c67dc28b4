// SPDX-License-Identifier: Apache-2.0
// The recorded calls of benchmark_model, repeated by a link of that name: exit code, messages about
// its settings, tables and errors. Times are not compared.
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/log_lines.h"

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> recordedLines(const json& recorded)
{
    if (recorded.contains("stderr"))
        return recorded["stderr"].get<std::vector<std::string>>();
    return plainLines(readBytes(dataRoot() / recorded["log"].get<std::string>()));
}

// "I Graph: [mlp.pb]" to "I Warmup runs: [1]", and the titles of the tables.
std::vector<std::string> fixedLines(const std::vector<std::string>& lines)
{
    std::vector<std::string> kept;
    for (const std::string& line : lines) {
        const bool isSetting =
            line.starts_with("I Init ops:") || (line.starts_with("I ") && line.ends_with("]") &&
                                                line.find(": [") != std::string::npos);
        if (isSetting || line.find("==== ") != std::string::npos)
            kept.push_back(line);
    }
    return kept;
}

std::string compareFiles(const json& recorded)
{
    const json files = recorded.value("result_files", json::object());
    for (const auto& [name, content] : files.items())
        if (!fs::is_regular_file(name) || fs::file_size(name) == 0)
            return name + " was not written";
    return "";
}

std::string compare(const json& recorded, const Ran& ran)
{
    const bool crashed = recorded["exit"].is_null();
    if (!crashed && ran.exitCode != recorded["exit"].get<int>())
        return "exit " + std::to_string(ran.exitCode) + ", not " + recorded["exit"].dump() + ": " +
               ran.err.substr(ran.err.size() > 400 ? ran.err.size() - 400 : 0);
    if (!ran.out.empty())
        return "prints to standard output";
    const std::vector<std::string> theirs = recordedLines(recorded);
    const std::vector<std::string> ours = plainLines(ran.err);
    if (crashed || ran.exitCode != 0)
        return complaintFault(theirs, ran.err);
    if (fixedLines(ours) != fixedLines(theirs))
        return "other settings or tables: " + json(fixedLines(ours)).dump() + ", recorded " +
               json(fixedLines(theirs)).dump();
    return compareFiles(recorded);
}

// Each call ran in a folder of its own that has its graph.
void runCase(const json& recorded, Tally& tally)
{
    const auto name = recorded["name"].get<std::string>();
    const WorkingFolder folder;
    if (const std::string file = recorded.value("graph_file", ""); !file.empty()) {
        const fs::path graph = dataRoot() / file;
        if (!fs::exists(graph) && isSelection())
            return tally.skipped(name, "its model is not in the choice");
        writeBytes(folder.path() / graph.filename(), readBytes(graph));
    }
    const json files = recorded.value("result_files", json::object());
    for (const auto& file : files.items())
        if (const fs::path parent = fs::path(file.key()).parent_path(); !parent.empty())
            fs::create_directories(parent);
    std::vector<std::string> call{"benchmark_model"};
    for (const json& argument : recorded["args"])
        call.push_back(argument.get<std::string>());
    const std::string wrong = compare(recorded, runProgram(call));
    tally.check(wrong.empty(), name, wrong);
}

TEST_CASE("benchmark_model answers the recorded calls", "[benchmark_calls]")
{
    if (!present("goldens/profiles"))
        return;
    Tally tally("benchmark_calls");
    for (const json& recorded : loadCases(dataRoot() / "goldens/profiles/logs.jsonl"))
        runCase(recorded, tally);
    tally.finish();
}

} // namespace
} // namespace lapidary::goldens
