// SPDX-License-Identifier: Apache-2.0
// Graphs that no program writes: their parts are found in time and stack that grow with the size of
// the file.
#include "graph_model/interface/interface.h"
#include "graph_model/interface/node_parts.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

GraphEntry entryOf(const std::string& text)
{
    const auto file = readModelBytes(std::string(text), "hostile.pbtxt", Job(), {.check = false});
    REQUIRE(file);
    REQUIRE(file->graphs.size() == 1);
    return file->graphs.front();
}

std::string nodeText(const std::string& name, const std::string& op,
                     const std::vector<std::string>& inputs, const std::string& attrs = "")
{
    std::string text = "node { name: \"" + name + "\" op: \"" + op + "\"";
    for (const std::string& input : inputs)
        text += " input: \"" + input + "\"";
    return text + " " + attrs + " }\n";
}

// A condition with an assertion in one branch.
const std::string checking =
    nodeText("c", "Placeholder", {}) +
    nodeText("call", "If", {"c", "c"},
             "attr { key: \"then_branch\" value { func { name: \"f\" } } }") +
    "library { function { signature { name: \"f\" } node_def { name: \"a\" op: \"Assert\" } } }\n";

} // namespace

TEST_CASE("Many losses of one output, and updates of rows that nothing names, are told",
          "[interface][parts]")
{
    constexpr int count = 3000;
    std::string text = nodeText("x", "Placeholder", {}) + nodeText("v", "VariableV2", {}) +
                       nodeText("g", "ReluGrad", {"x", "x"}) +
                       nodeText("train", "ApplyGradientDescent", {"v", "g", "g"}) +
                       nodeText("rows", "Unique", {}) + nodeText("scores", "Relu", {"x"}) +
                       nodeText("log", "LogSoftmax", {"scores"});
    for (int i = 0; i < count; ++i) {
        const std::string own = std::to_string(i);
        text += nodeText("u" + own, "ScatterSub", {"v", "rows", "g"}) +
                nodeText("loss" + own, "SoftmaxCrossEntropyWithLogits", {"scores", "x"});
    }
    const GraphEntry entry = entryOf(text);
    const NodeFlags isGradient = trainingGradients(*entry.graph);
    CHECK(isGradient[entry.graph->find("g").value] != 0);
    CHECK(isGradient[entry.graph->find("log").value] != 0);
    CHECK(isGradient[entry.graph->find("rows").value] == 0);
    CHECK(isGradient[entry.graph->find("scores").value] == 0);
}

TEST_CASE("A node for which many nodes wait is examined once", "[interface][parts]")
{
    constexpr int count = 300'000;
    std::string text = nodeText("x", "Placeholder", {}) + nodeText("v", "VariableV2", {}) +
                       nodeText("g", "ReluGrad", {"x", "x"}) +
                       nodeText("train", "ApplyGradientDescent", {"v", "g", "g"}) +
                       nodeText("signal", "NoOp", {"^x"});
    for (int i = 0; i < count; ++i)
        text += nodeText("r" + std::to_string(i), "Relu", {"x", "^signal"});
    const GraphEntry entry = entryOf(text);
    const NodeFlags isGradient = trainingGradients(*entry.graph);
    CHECK(isGradient[entry.graph->find("g").value] != 0);
    CHECK(isGradient[entry.graph->find("signal").value] == 0);
}

TEST_CASE("Copies of a value that go in a circle or on and on end somewhere", "[interface][parts]")
{
    const GraphEntry circle = entryOf(checking + nodeText("i", "Identity", {"call", "i"}));
    const NodeParts parts = nodeParts(*circle.graph, {});
    CHECK(parts.of[circle.graph->find("call").value] == Part::Summaries);
    std::string chain = checking;
    for (int i = 0; i < 200'000; ++i)
        chain += nodeText("i" + std::to_string(i), "Identity",
                          {i == 0 ? "call" : "i" + std::to_string(i - 1)});
    CHECK(nodeParts(*entryOf(chain).graph, {}).of.size() == 200'002);
}

TEST_CASE("A counter that waits for the same nodes many times is looked at once",
          "[interface][parts]")
{
    const std::vector<std::string> none;
    std::string text = nodeText("v", "VariableV2", none) + nodeText("x", "Placeholder", none) +
                       nodeText("g", "ReluGrad", {"x", "x"}) +
                       nodeText("train", "ApplyGradientDescent", {"v", "g", "g"}) +
                       nodeText("one", "Const", none) + nodeText("n4", "NoOp", none);
    for (int level = 3; level >= 0; --level)
        text += nodeText("n" + std::to_string(level), "NoOp",
                         std::vector<std::string>(2000, "^n" + std::to_string(level + 1)));
    text += nodeText("step", "VariableV2", none) +
            nodeText("count", "AssignAdd", {"step", "one", "^n0"}) +
            nodeText("late", "NoOp", {"^train"}) +
            nodeText("counted", "AssignAdd", {"step", "one", "^late"});
    const GraphEntry entry = entryOf(text);
    const NodeParts parts = nodeParts(*entry.graph, {});
    CHECK(parts.of[entry.graph->find("count").value] == Part::Saving);
    CHECK(parts.of[entry.graph->find("counted").value] == Part::Optimizer);
}

TEST_CASE("An update of a variable that the graph lacks trains nothing", "[interface][parts]")
{
    const std::vector<std::string> none;
    for (const char* op : {"AssignAdd", "ScatterAdd", "InitializeTable"}) {
        INFO(op);
        const GraphEntry entry = entryOf(nodeText("one", "Placeholder", none) +
                                         nodeText("update", op, {"gone", "one", "one"}));
        const NodeParts parts = nodeParts(*entry.graph, {});
        CHECK(parts.of[entry.graph->find("update").value] != Part::Optimizer);
    }
}

TEST_CASE("A tensor that a signature lists again is one candidate with both reasons", "[interface]")
{
    GraphEntry entry = entryOf(nodeText("x", "Placeholder", {}) + nodeText("y", "Relu", {"x"}));
    Signature signature;
    signature.name = "serve";
    for (int i = 0; i < 3; ++i)
        signature.inputs.push_back({"k" + std::to_string(i), "x:0", DType::Float, Shape{}});
    signature.outputs.push_back({"out", "y:0", DType::Float, Shape{}});
    entry.signatures = {signature};
    const InterfaceGuess guess = guessInterface(entry);
    REQUIRE(guess.inputs.size() == 1);
    CHECK(guess.inputs.front().reasons.size() == 3);
}

} // namespace lapidary
