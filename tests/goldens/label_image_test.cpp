// SPDX-License-Identifier: Apache-2.0
// The output of label_image for pictures of all formats, and its flags and failures.
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/log_lines.h"

#include <cmath>
#include <sstream>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double scoreTolerance = 1e-4;

// Returns a message of the log without time and source position, as in the recordings: "I text".
std::vector<std::string> logLines(const std::string& err)
{
    std::vector<std::string> lines;
    std::istringstream stream(err);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t place = line.find("] ");
        if (place != std::string::npos && place > 10 && line[place - 9] == ' ')
            line = line.substr(place - 10, 1) + " " + line.substr(place + 2);
        lines.push_back(line);
    }
    return lines;
}

struct Line {
    std::string words; // everything except the score
    double score = 0;
};

Line split(const std::string& line)
{
    const std::size_t colon = line.rfind(": ");
    if (colon == std::string::npos)
        return {line, 0};
    return {line.substr(0, colon), std::strtod(line.c_str() + colon + 2, nullptr)};
}

std::string compareLabels(const std::vector<std::string>& ours, const json& theirs)
{
    if (ours.size() != theirs.size())
        return std::to_string(ours.size()) + " lines, not " + std::to_string(theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const Line our = split(ours[i]);
        const Line their = split(theirs[i].get<std::string>());
        const bool isNear = std::abs(our.score - their.score) <= scoreTolerance ||
                            (std::isnan(our.score) && std::isnan(their.score));
        if (our.words != their.words || !isNear)
            return "'" + ours[i] + "', not '" + theirs[i].get<std::string>() + "'";
    }
    return {};
}

// Errors have our own words; flags and usage are the same as in the original.
std::string compare(const json& recorded, const Ran& ran)
{
    if (ran.exitCode != recorded["exit"].get<int>())
        return "exit " + std::to_string(ran.exitCode) + ", not " + recorded["exit"].dump() + ": " +
               ran.err.substr(0, 200);
    if (ran.out != recorded["stdout"].get<std::string>())
        return "standard output is '" + ran.out + "'";
    const auto ours = logLines(ran.err);
    const json& theirs = recorded["stderr"];
    const bool isUsage = recorded.dump().find("usage: label_image") != std::string::npos;
    if (ran.exitCode == 0)
        return compareLabels(ours, theirs);
    if (ours.empty())
        return "no message";
    if (isUsage && ours != theirs.get<std::vector<std::string>>())
        return "usage is " + json(ours).dump() + ", not " + theirs.dump();
    return complaintFault(theirs.get<std::vector<std::string>>(), ran.err);
}

void place(const json& recorded, const std::string& name, const char* file, const char* bytes)
{
    if (recorded.contains(bytes)) {
        if (!recorded[bytes].is_null())
            writeBytes(fs::absolute(name), decodeBase64(recorded[bytes].get<std::string>()));
    } else if (recorded.contains(file) && recorded[file].is_string()) {
        fs::create_symlink(dataRoot() / recorded[file].get<std::string>(), name);
    }
}

void runCase(const json& recorded, Tally& tally)
{
    const std::string name = recorded["name"].get<std::string>();
    const fs::path shared = dataRoot() / "goldens" / "label_image";
    const WorkingFolder folder;
    // The recording does not have the content of these two files.
    if (name == "files/graph_garbage")
        writeBytes(folder.path() / "graph.pb", "this is not a graph");
    else if (name == "files/graph_text")
        writeBytes(folder.path() / "graph.pb", "node { name: \"x\" op: \"NoOp\" }");
    else
        fs::create_symlink(shared / "graph.pb", "graph.pb");
    if (recorded.contains("labels"))
        place(recorded, "labels.txt", "labels_file", "labels");
    else
        fs::create_symlink(shared / "labels.txt", "labels.txt");
    if (recorded.contains("image") && recorded["image"].is_string())
        place(recorded, recorded["image"].get<std::string>(), "image_file", "image_bytes");
    std::vector<std::string> call{"label_image"};
    for (const json& argument : recorded["args"])
        call.push_back(argument.get<std::string>());
    const std::string wrong = compare(recorded, runProgram(call));
    tally.check(wrong.empty(), name, wrong);
}

} // namespace

TEST_CASE("label_image finds the recorded labels", "[label_image]")
{
    if (!present("goldens/label_image"))
        return;
    Tally tally("label_image");
    for (const json& recorded : loadCases(dataRoot() / "goldens" / "label_image" / "cases.jsonl"))
        runCase(recorded, tally);
    tally.finish();
}

} // namespace lapidary::goldens
