// SPDX-License-Identifier: Apache-2.0
// The small tools beside freeze_graph, called by links of their names.
#include "graph_model/read/model_file.h"
#include "graph_model/read/record_reader.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "tests/goldens/run_cases.h"
#include "transforms/compare/equal_graphs.h"
#include "transforms/pass/pass.h"

#include <cmath>
#include <filesystem>
#include <map>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> callOf(const std::string& tool, const json& recorded)
{
    std::vector<std::string> call{tool};
    for (const json& argument : recorded["args"])
        call.push_back(argument.get<std::string>());
    return call;
}

std::string exitDiffers(const json& recorded, const Ran& ran)
{
    return ran.exitCode == recorded["exit"].get<int>()
               ? ""
               : "exit " + std::to_string(ran.exitCode) + ", not " + recorded["exit"].dump() +
                     ": " + ran.err.substr(0, 300);
}

std::string textDiffers(const std::string& ours, const std::string& theirs)
{
    std::size_t at = 0;
    while (at < ours.size() && at < theirs.size() && ours[at] == theirs[at])
        ++at;
    return ours == theirs ? ""
                          : "at byte " + std::to_string(at) + " '" + ours.substr(at, 80) +
                                "', not '" + theirs.substr(at, 80) + "'";
}

std::string warningsDiffer(const json& recorded, const Ran& ran)
{
    for (const json& line : recorded["log"]) {
        const auto text = line.get<std::string>();
        if (!text.starts_with("usage") && ran.err.find(text) == std::string::npos)
            return "does not say '" + text + "'";
    }
    return "";
}

std::string selectiveDiffers(const json& recorded)
{
    const WorkingFolder work;
    if (recorded.contains("graphs"))
        for (const auto& [name, graph] : recorded["graphs"].items())
            writeBytes(fs::absolute(name), decodeBase64(graph.get<std::string>()));
    const Ran ran = runProgram(callOf("print_selective_registration_header", recorded));
    std::string what = exitDiffers(recorded, ran);
    if (what.empty())
        what = textDiffers(ran.out, recorded["stdout"].get<std::string>());
    return what.empty() ? warningsDiffer(recorded, ran) : what;
}

GraphPtr graphOf(const std::string& bytes)
{
    if (bytes.empty())
        return Graph::make({});
    const auto model = readModelBytes(bytes, "graph", Job());
    return model && !model->graphs.empty() ? model->graphs.front().graph : nullptr;
}

bool holdCloseValues(const Node& ours, const Node& theirs)
{
    const auto a = ours.tensor();
    const auto b = theirs.tensor();
    if (!a || !b || a->dtype() != b->dtype() || !(a->shape() == b->shape()))
        return false;
    const auto x = a->numbers(0, a->elements());
    const auto y = b->numbers(0, b->elements());
    if (!x || !y)
        return false;
    for (std::size_t i = 0; i < x->size(); ++i)
        if (!(std::abs((*x)[i] - (*y)[i]) <= 1e-6 + 1e-6 * std::abs((*y)[i])))
            return false;
    return true;
}

// Compares nodes by name: the original appends changed nodes, ours stay in their positions. Folded
// weights may differ by rounding.
std::string graphsDiffer(const GraphPtr& ours, const GraphPtr& theirs)
{
    if (ours == nullptr || theirs == nullptr)
        return "a graph cannot be read";
    for (const NodePtr& node : theirs->nodes()) {
        const NodeId id = ours->find(node->name());
        if (!id.isValid())
            return "has no node " + std::string(node->name());
        const Node& own = ours->node(id);
        const bool isClose =
            node->op() == "Const" && own.op() == "Const" && holdCloseValues(own, *node);
        if (const std::string what = nodeDifference(own, *node); !what.empty() && !isClose)
            return std::string(node->name()) + ": " + what;
    }
    for (const NodePtr& node : ours->nodes())
        if (!theirs->find(node->name()).isValid())
            return "has a node " + std::string(node->name()) + " too many";
    return "";
}

std::string resultDiffers(const json& recorded, const fs::path& written)
{
    if (!recorded.contains("result"))
        return fs::exists(written) ? "writes a file" : "";
    if (!fs::exists(written))
        return "writes nothing";
    const json& result = recorded["result"];
    const std::string bytes = readBytes(written);
    if (result.contains("text"))
        return bytes.starts_with("node {")
                   ? graphsDiffer(graphOf(bytes), graphOf(result["text"].get<std::string>()))
                   : "is not text";
    return graphsDiffer(graphOf(bytes), graphOf(decodeBase64(result["graph"].get<std::string>())));
}

std::string removeTrainingDiffers(const json& recorded)
{
    PassArgs args;
    if (const json& names = recorded["args"]["protected_nodes"]; names.is_array())
        for (const json& name : names)
            args.parameters.add("protected", name.get<std::string>());
    const GraphPtr graph = graphOf(decodeBase64(recorded["graph"].get<std::string>()));
    const auto edit = findPass("remove_training_nodes")->run(graph, args, Job());
    return edit
               ? graphsDiffer(edit->graph,
                              graphOf(decodeBase64(recorded["result"]["graph"].get<std::string>())))
               : edit.error().message;
}

std::string optimizeOrStripDiffers(const json& recorded)
{
    const auto tool = recorded["tool"].get<std::string>();
    if (tool == "remove_training_nodes")
        return removeTrainingDiffers(recorded);
    const WorkingFolder work;
    if (recorded.contains("graph") && recorded["graph"].is_string())
        writeBytes(fs::absolute(recorded.value("file", std::string("in.pb"))),
                   decodeBase64(recorded["graph"].get<std::string>()));
    const Ran ran = runProgram(callOf(tool, recorded));
    std::string what = exitDiffers(recorded, ran);
    if (what.empty())
        what = textDiffers(ran.out, recorded["stdout"].get<std::string>());
    if (what.empty() && ran.exitCode != 0 && (ran.out + ran.err).empty())
        what = "fails without a word";
    return what.empty() ? resultDiffers(recorded, "out.pb") : what;
}

std::string dotDiffers(const json& recorded)
{
    const WorkingFolder work;
    if (recorded.contains("graph"))
        writeBytes(fs::absolute("in.pb"), decodeBase64(recorded["graph"].get<std::string>()));
    const Ran ran = runProgram(callOf("graph_to_dot", recorded));
    std::string what = exitDiffers(recorded, ran);
    if (what.empty())
        what = textDiffers(ran.out, recorded["stdout"].get<std::string>());
    if (!what.empty() || !recorded.contains("dot"))
        return what;
    return textDiffers(readBytes("out.dot"), recorded["dot"].get<std::string>());
}

// Returns the events of a file without wall times and graphs.
struct Events {
    std::string frame;
    std::string graph;
};
Events eventsIn(const std::string& bytes)
{
    Events events;
    RecordReader reader(bytes);
    std::string_view data;
    while (reader.next(data)) {
        // 09 and eight bytes of time; then the field and its length.
        events.frame += std::to_string(data.size() > 10 ? int(data[9]) : -1) + ' ';
        if (data.size() > 10 && data[9] == 0x22) {
            const std::size_t content = data.size() < 139 ? 11 : data.size() < 16396 ? 12 : 13;
            events.graph = data.substr(content);
        } else if (data.size() > 9) {
            events.frame += data.substr(9);
        }
    }
    if (!reader.takeProblems().empty())
        events.frame += "damaged";
    return events;
}

std::string eventsDiffer(const json& recorded)
{
    const WorkingFolder work;
    if (recorded.contains("graph") && recorded["graph"].is_string())
        writeBytes(fs::absolute("model.pb"), decodeBase64(recorded["graph"].get<std::string>()));
    const Ran ran = runProgram(callOf("import_pb_to_tensorboard", recorded));
    std::string what = exitDiffers(recorded, ran);
    if (what.empty())
        what = textDiffers(ran.out, recorded["stdout"].get<std::string>());
    if (!what.empty() || recorded["exit"] != 0)
        return what;
    const fs::path file = fs::directory_iterator("logs")->path();
    if (!file.filename().string().starts_with("events.out.tfevents."))
        return "the file is called " + file.filename().string();
    const Events ours = eventsIn(readBytes(file));
    const Events theirs = eventsIn(decodeBase64(recorded["files"][0]["bytes"].get<std::string>()));
    if (ours.frame != theirs.frame)
        return "the records are " + ours.frame + ", not " + theirs.frame;
    return graphsDiffer(graphOf(ours.graph), graphOf(theirs.graph));
}

// Runs the written package; each value must have the bits that the original's package gives.
std::string packageRunsOtherwise(const json& loaded)
{
    const auto model = readModel("out.mm", Job());
    if (!model || model->graphs.empty())
        return "the package cannot be read back";
    Session session(model->graphs[0].graph, {});
    for (const auto& [name, recorded] : loaded["values"].items()) {
        const auto values = session.run({{}, {name + ":0"}, {}}, Job());
        if (!values)
            return name + ": " + values.error().message;
        if ((*values)[0].bytes() != decodeBase64(recorded["data"].get<std::string>()))
            return name + " has another value";
    }
    return "";
}

std::string packageDiffers(const json& recorded)
{
    const WorkingFolder work;
    if (recorded.contains("graph") && recorded["graph"].is_string())
        writeBytes(fs::absolute("in.pb"), decodeBase64(recorded["graph"].get<std::string>()));
    const Ran ran = runProgram(callOf("convert_graphdef_memmapped_format", recorded));
    if (std::string what = exitDiffers(recorded, ran); !what.empty())
        return what;
    if (ran.exitCode != 0)
        return ran.err.empty()        ? "fails without a word"
               : fs::exists("out.mm") ? "leaves a file behind"
                                      : "";
    const auto line = recorded["stderr"][0].get<std::string>().substr(2);
    if (ran.err.find(line) == std::string::npos)
        return "does not say '" + line + "'";
    const std::string ours = readBytes("out.mm");
    const std::string theirs = decodeBase64(recorded["file"].get<std::string>());
    // The original writes attributes in the order of a hash; all else is equal.
    if (ours.size() != theirs.size())
        return "has " + std::to_string(ours.size()) + " bytes, not " +
               std::to_string(theirs.size());
    std::map<char, int> letters;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        ++letters[ours[i]];
        --letters[theirs[i]];
    }
    for (const auto& [letter, count] : letters)
        if (count != 0)
            return "has other bytes";
    return recorded.contains("loaded") ? packageRunsOtherwise(recorded["loaded"]) : "";
}

void runCases(const std::string& part, std::string (*differs)(const json& recorded))
{
    fs::path file = dataRoot() / "goldens/freeze" / (part + ".jsonl");
    if (!fs::exists(file)) // the selection has a folder for them
        file = dataRoot() / "goldens/freeze_tools" / (part + ".jsonl");
    REQUIRE(fs::exists(file));
    Tally tally("freeze_tools");
    tally.readsOnly(part + "/");
    tally.beginPart(part);
    for (const json& recorded : loadCases(file)) {
        if (recorded.value("crash", json(false)) != json(false)) { // the signal's name
            tally.skipped(recorded["name"].get<std::string>(), "the original crashed");
            continue;
        }
        const std::string what = differs(recorded);
        tally.check(what.empty(), part + "/" + recorded["name"].get<std::string>(), what);
    }
    tally.finish();
}

} // namespace

TEST_CASE("the header of selective registration is the recorded one", "[freeze]")
{
    runCases("selective_registration", selectiveDiffers);
}

TEST_CASE("optimize_for_inference, strip_unused and remove_training_nodes do what was recorded",
          "[freeze]")
{
    runCases("optimize_strip", optimizeOrStripDiffers);
}

TEST_CASE("graph_to_dot writes the recorded text", "[freeze]")
{
    runCases("graph_to_dot", dotDiffers);
}

TEST_CASE("import_pb_to_tensorboard writes the recorded graph", "[freeze]")
{
    runCases("tensorboard", eventsDiffer);
}

TEST_CASE("memory-mapped packages are the recorded ones and run", "[freeze]")
{
    runCases("memmapped", packageDiffers);
}

} // namespace lapidary::goldens
