// SPDX-License-Identifier: Apache-2.0
// The command lines of transform_graph and compare_graphs, called by links of those names.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/log_lines.h"
#include "tests/goldens/same_graph.h"

#include <cstdlib>
#include <filesystem>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

GraphPtr graphIn(const std::string& bytes)
{
    auto model = readModelBytes(bytes, "result", Job());
    if (!model || model.value().graphs.empty() || bytes.empty())
        return Graph::make({});
    return model.value().graphs.front().graph;
}

// Returns the differences in the files that the tool wrote.
std::string fileDifference(const json& files, const Graph& input, bool mergesNodes)
{
    for (const auto& [name, content] : files.items()) {
        if (!fs::is_regular_file(name))
            return name + " was not written";
        const std::string theirs = content.contains("text")
                                       ? content["text"].get<std::string>()
                                       : decodeBase64(content.value("graph", std::string()));
        const std::string difference =
            differenceTo(*graphIn(readBytes(name)), *graphIn(theirs), input, mergesNodes);
        if (!difference.empty())
            return name + ": " + difference;
    }
    return "";
}

std::string compareTool(const json& recorded, const Ran& ran)
{
    if (ran.exitCode != recorded["exit"].get<int>())
        return "exit " + std::to_string(ran.exitCode) + ", not " + recorded["exit"].dump() + ": " +
               ran.err.substr(0, 300);
    if (ran.out != recorded["stdout"].get<std::string>())
        return "printed '" + ran.out.substr(0, 200) + "', not '" +
               recorded["stdout"].get<std::string>().substr(0, 200) + "'";
    const auto complaints = recorded.value("stderr", std::vector<std::string>());
    if (ran.exitCode != 0 && !errorText(complaints).empty())
        if (std::string what = complaintFault(complaints, ran.err); !what.empty())
            return what;
    // The original keeps one of several equal nodes, depending on its hash.
    const bool mergesNodes = recorded["args"].dump().find("quantize_nodes") != std::string::npos;
    const GraphPtr input = graphIn(decodeBase64(recorded.value("graph", std::string())));
    return recorded.contains("result_files")
               ? fileDifference(recorded["result_files"], *input, mergesNodes)
               : "";
}

std::vector<std::string> callOf(const std::string& tool, const json& recorded)
{
    std::vector<std::string> call{tool};
    for (const json& argument : recorded["args"])
        call.push_back(argument.get<std::string>());
    return call;
}

void placeFiles(const json& recorded)
{
    if (recorded.contains("graph"))
        writeBytes(fs::absolute(recorded.value("file", std::string("in.pb"))),
                   decodeBase64(recorded["graph"].get<std::string>()));
    for (const char* side : {"a", "b"})
        if (recorded.contains(side))
            writeBytes(fs::absolute(std::string(side) + ".pb"),
                       decodeBase64(recorded[side].get<std::string>()));
    const std::string name = recorded["name"].get<std::string>();
    if (name == "file/directory")
        fs::create_directory("in.pb");
    if (name == "directory")
        fs::create_directory("a.pb");
    if (name.starts_with("file/out_is_directory"))
        fs::create_directory("out.pb");
}

void runFolder(const std::string& folder, const std::string& tool)
{
    if (!present("goldens/" + folder))
        return;
    Tally tally(folder);
    for (const json& recorded : loadCases(dataRoot() / "goldens" / folder / "cases.jsonl")) {
        const std::string name = recorded["name"].get<std::string>();
        if (recorded["exit"].is_null() || recorded.value("unstable", false)) {
            tally.skipped(name, "the original crashed or does not repeat it");
            continue;
        }
        const WorkingFolder working;
        if (name.find("tilde") != std::string::npos)
            setenv("HOME", working.path().c_str(), 1);
        placeFiles(recorded);
        const std::string wrong = compareTool(recorded, runProgram(callOf(tool, recorded)));
        tally.check(wrong.empty(), name, wrong);
    }
    tally.finish();
}

TEST_CASE("transform_graph behaves as recorded", "[transform_graph_cli]")
{
    runFolder("transform_graph_cli", "transform_graph");
}

TEST_CASE("compare_graphs says what was recorded", "[compare_graphs]")
{
    runFolder("compare_graphs", "compare_graphs");
}

} // namespace
} // namespace lapidary::goldens
