// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/log_lines.h"

#include <cstdlib>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Returns the first difference of two texts, for the report of a failure.
std::string difference(const std::string& ours, const std::string& theirs)
{
    std::size_t at = 0;
    while (at < ours.size() && at < theirs.size() && ours[at] == theirs[at])
        ++at;
    const std::size_t from = at < 30 ? 0 : at - 30;
    return "at byte " + std::to_string(at) + " ours '" + ours.substr(from, 80) + "' theirs '" +
           theirs.substr(from, 80) + "'";
}

std::vector<std::string> callOf(const json& recorded)
{
    std::vector<std::string> call{"summarize_graph"};
    for (const json& argument : recorded["args"])
        call.push_back(argument.get<std::string>());
    return call;
}

void placeFile(const json& recorded)
{
    if (recorded.contains("graph_file"))
        fs::create_symlink(dataRoot() / recorded["graph_file"].get<std::string>(),
                           recorded["file"].get<std::string>());
    else if (recorded.contains("file") && recorded.contains("graph"))
        writeBytes(fs::absolute(recorded["file"].get<std::string>()),
                   decodeBase64(recorded["graph"].get<std::string>()));
}

// Returns the fault of our answer; empty if there is none.
std::string compare(const json& recorded, const Ran& ran)
{
    if (ran.exitCode != recorded["exit"].get<int>())
        return "exit " + std::to_string(ran.exitCode) + ", not " + recorded["exit"].dump() + ": " +
               ran.err.substr(0, 200);
    const auto complaints = recorded.value("stderr", std::vector<std::string>());
    if (ran.exitCode != 0 && !errorText(complaints).empty())
        if (std::string what = complaintFault(complaints, ran.err); !what.empty())
            return what;
    if (recorded.contains("stdout_sha256"))
        return recorded["stdout_sha256"] == sha256(ran.out) ? "" : "another text";
    if (!recorded["stdout"].is_string())
        return "the recording has no text";
    const std::string theirs = recorded["stdout"].get<std::string>();
    return ran.out == theirs ? "" : difference(ran.out, theirs);
}

void runCase(const json& recorded, Tally& tally)
{
    const std::string name = recorded["name"].get<std::string>();
    if (recorded["exit"].is_null())
        return tally.skipped(name, "the original crashed");
    if (recorded.contains("graph_file") &&
        !fs::exists(dataRoot() / recorded["graph_file"].get<std::string>()))
        return isSelection() ? tally.skipped(name, "its model is not in this choice")
                             : tally.fails(name, "the model is missing");
    const WorkingFolder folder;
    placeFile(recorded);
    if (name.find("relative_dotdot") != std::string::npos)
        fs::create_directory("sub");
    if (name.find("symlink_loop") != std::string::npos)
        fs::create_symlink("loop.pb", "loop.pb");
    const std::string wrong = compare(recorded, runProgram(callOf(recorded)));
    tally.check(wrong.empty(), name, wrong);
}

void runTruncations(Tally& tally)
{
    const json recorded = loadJson(dataRoot() / "goldens" / "summaries" / "truncation.json");
    const std::string whole = decodeBase64(recorded["graph"].get<std::string>());
    std::map<std::size_t, std::string> accepted;
    for (const json& prefix : recorded["accepted"])
        accepted[prefix["length"].get<std::size_t>()] = prefix["op_types"].get<std::string>();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const WorkingFolder folder;
        writeBytes(folder.path() / "graph.pb", std::string_view(whole).substr(0, length));
        const Ran ran = runProgram({"summarize_graph", "--in_graph=graph.pb"});
        const auto theirs = accepted.find(length);
        const bool holds =
            theirs == accepted.end()
                ? ran.exitCode == 255
                : ran.exitCode == 0 &&
                      ran.out.find("Op types used: " + theirs->second + "\n") != std::string::npos;
        tally.check(holds, "truncation/" + std::to_string(length),
                    "exit " + std::to_string(ran.exitCode) + ": " + ran.out + ran.err);
    }
}

} // namespace

TEST_CASE("summarize_graph prints what the original printed", "[summaries]")
{
    if (!present("goldens/summaries"))
        return;
    Tally tally("summaries");
    for (const char* file : {"graphs.jsonl", "arguments.jsonl", "models.jsonl"})
        for (const json& recorded : loadCases(dataRoot() / "goldens" / "summaries" / file))
            runCase(recorded, tally);
    runTruncations(tally);
    tally.finish();
}

} // namespace lapidary::goldens
