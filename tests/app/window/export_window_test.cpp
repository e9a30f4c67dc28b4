// SPDX-License-Identifier: Apache-2.0
// Exporting for a device from the window: what the dialog proposes, writes, reports and refuses.
#include "app/window/export/export_report_view.h"
#include "graph_model/read/model_file.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/shared_data.h"

#include <QTreeWidget>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

namespace fs = std::filesystem;

// A classifier for pictures of any size; the first node of the second graph decodes a file.
const char* const exportedNetwork = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: SIZE } dim { size: 4 }
    dim { size: 3 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 0.5 float_val: -0.25 float_val: 1
    tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: 3 } dim { size: 4 } } } } } }
node { name: "conv" op: "Conv2D" input: "x" input: "w" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "padding" value { s: "SAME" } }
  attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } }
node { name: "relu" op: "Relu" input: "conv" attr { key: "T" value { type: DT_FLOAT } } }
MORE
node { name: "y" op: "Softmax" input: "LAST" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

// A loop of three iterations that halves its value.
const char* const halvings = R"(
node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 int_val: 0 tensor_shape { } } } } }
node { name: "x_in" op: "Enter" input: "relu" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "frame_name" value { s: "turns" } } }
node { name: "i_in" op: "Enter" input: "zero" attr { key: "T" value { type: DT_INT32 } }
  attr { key: "frame_name" value { s: "turns" } } }
node { name: "x_now" op: "Merge" input: "x_in" input: "x_next"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "N" value { i: 2 } } }
node { name: "i_now" op: "Merge" input: "i_in" input: "i_next"
  attr { key: "T" value { type: DT_INT32 } } attr { key: "N" value { i: 2 } } }
node { name: "three" op: "Const" input: "^i_now" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 int_val: 3 tensor_shape { } } } } }
node { name: "less" op: "Less" input: "i_now" input: "three"
  attr { key: "T" value { type: DT_INT32 } } }
node { name: "goes_on" op: "LoopCond" input: "less" }
node { name: "x_turn" op: "Switch" input: "x_now" input: "goes_on"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "i_turn" op: "Switch" input: "i_now" input: "goes_on"
  attr { key: "T" value { type: DT_INT32 } } }
node { name: "half" op: "Const" input: "^i_now" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 0.5 tensor_shape { } } } } }
node { name: "halved" op: "Mul" input: "x_turn:1" input: "half"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "one" op: "Const" input: "^i_now" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 int_val: 1 tensor_shape { } } } } }
node { name: "counted" op: "Add" input: "i_turn:1" input: "one"
  attr { key: "T" value { type: DT_INT32 } } }
node { name: "x_next" op: "NextIteration" input: "halved"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "i_next" op: "NextIteration" input: "counted"
  attr { key: "T" value { type: DT_INT32 } } }
node { name: "x_out" op: "Exit" input: "x_turn" attr { key: "T" value { type: DT_FLOAT } } }
)";

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    return text.replace(text.find(what), what.size(), with);
}

std::string networkOf(const std::string& size, const std::string& more, const std::string& last)
{
    return replaced(replaced(replaced(exportedNetwork, "SIZE", size), "MORE", more), "LAST", last);
}

std::string bytesOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct ExportDesktop : Desktop {
    explicit ExportDesktop(const std::string& size = "4", const std::string& more = "",
                           const std::string& last = "relu")
    {
        REQUIRE(writeFileAtomically(path("net.pbtxt"), networkOf(size, more, last)).ok());
    }
    int withDialog(const std::string& then) const
    {
        return run("open " + path("net.pbtxt") + "\nwait idle\naction file.exportDevice\n" + then);
    }
    // Reads the graph from a written file.
    GraphPtr written(const char* name) const
    {
        const auto file = readModel(path(name), Job());
        REQUIRE(file);
        REQUIRE(file->graphs.size() == 1);
        return file->graphs[0].graph;
    }
};

} // namespace

TEST_CASE("a model is exported by keys alone, and the dialog reports its error", "[export]")
{
    const ExportDesktop session;
    REQUIRE(session.run("open " + session.path("net.pbtxt") + R"(
wait idle
expect enabled file.exportDevice
key Ctrl+Alt+E
wait idle
expect text exportInputs "x"
expect text exportSize0 "1, 4, 4, 3"
expect text exportOutputs "y"
key Return
wait idle
expect text exportSummary "net.tflite"
expect text exportReport "CONV_2D 1"
expect text exportReport "Merged into others 1"
expect text exportReport "Relu 1"
expect text exportReport "Error of the outputs on"
expect text exportReport "Worst layer"
key Escape
wait idle)") == 0);
    CHECK(session.written("net.tflite")->find("y").isValid());
    CHECK(bytesOf(session.path("net.pbtxt")) == networkOf("4", "", "relu"));
}

TEST_CASE("the target chooses the ending, and the weights what is asked for", "[export]")
{
    const ExportDesktop session;
    REQUIRE(session.withDialog(R"(
set exportTarget ONNX
expect text exportFile "net.onnx"
set exportWeights "float16"
press Export
wait idle
expect text exportSummary "net.onnx"
expect text exportReport "Conv 1"
key Escape
wait idle)") == 0);
    CHECK(fs::exists(session.path("net.onnx")));
    CHECK_FALSE(fs::exists(session.path("net.tflite")));
}

TEST_CASE("a file of a device's form is offered the other form", "[export]")
{
    const ExportDesktop session;
    REQUIRE(session.withDialog(R"(
press Export
wait idle
key Escape
wait idle
open ")" + session.path("net.tflite") +
                               R"("
wait idle
action file.exportDevice
expect text exportTarget ONNX
expect text exportFile "net.onnx"
press Export
wait idle
expect text exportSummary "net.onnx"
key Escape
wait idle)") == 0);
}

TEST_CASE("loops are written out or become operators, as the dialog says", "[export]")
{
    const ExportDesktop session("4", halvings, "x_out");
    REQUIRE(session.withDialog(R"(
press Export
wait idle
expect text exportReport "Mul 2"
set exportLoops "as operators"
set exportFile ")" + session.path("turns.tflite") +
                               R"("
press Export
wait idle
expect text exportSummary "turns.tflite"
expect text exportReport "WHILE 1"
expect text exportReport "MUL 1"
key Escape
wait idle)") == 0);
}

TEST_CASE("an open size is proposed or asked for, and 8 bits ask for their ranges", "[export]")
{
    const ExportDesktop session("-1");
    REQUIRE(session.withDialog(R"(
wait idle
expect text exportSize0 "1, 224, 4, 3"
expect text exportInputLabel0 "Proposed size of x"
set exportSize0 "1, ?, 4, 3"
press Export
wait idle
expect text exportFault "the size of x is open; put a number in place of each ?"
type "1, 6, 4, 3"
set exportWeights "full int8"
press Export
wait idle
expect text exportFault "name a folder of pictures"
key Escape
wait idle)") == 0);
    CHECK_FALSE(fs::exists(session.path("net.tflite")));
}

TEST_CASE("a model computes in 8 bits, with ranges from pictures", "[export]")
{
    const ExportDesktop session;
    fs::create_directories(session.path("pictures"));
    REQUIRE(session.run("open " + session.path("net.pbtxt") + "\nwait idle\npicture \"" +
                        session.path("pictures/a.png") + "\"\npicture canvas \"" +
                        session.path("pictures/b.png") + "\"\naction file.exportDevice\n" +
                        "set exportWeights \"full int8\"\nset exportPictures \"" +
                        session.path("pictures") + "\"\nset exportEnds int8\n" + R"(press Export
wait idle
expect text exportSummary "net.tflite"
expect text exportReport "int8"
expect text exportReport "on 2 inputs"
key Escape
wait idle)") == 0);
    const GraphPtr graph = session.written("net.tflite");
    CHECK(graph->size() > 0);
}

TEST_CASE("a refusal names node, op and reason, and the part that can be exported", "[export]")
{
    const ExportDesktop session("4", R"(
node { name: "noise" op: "RandomShuffle" input: "relu" attr { key: "T" value { type: DT_FLOAT } } })",
                                "noise");
    REQUIRE(session.withDialog(R"(
press Export
wait idle
expect text exportSummary "1 node has no counterpart in TFLite; nothing was written"
expect text exportReport "noise RandomShuffle it makes random numbers"
expect text exportCut "What can be exported: from x to relu"
press "Export this part"
wait idle
expect text exportOutputs "relu"
expect text exportReport "CONV_2D 1"
key Escape
wait idle)") == 0);
    CHECK(fs::exists(session.path("net.tflite")));
}

TEST_CASE("the names of nodes leave space for the reasons of a refusal", "[export]")
{
    const ExportDesktop session;
    ExportReportView view(nullptr);
    view.resize(740, 400);
    view.show();
    ExportReport report;
    std::string name = "scope";
    for (int i = 0; i < 20; ++i)
        name += "/another_scope";
    report.refused.push_back({.node = name, .op = "NonMaxSuppressionV3", .reason = "it has none"});
    view.showReport(report, ExportTarget::Tflite, {});
    const auto* rows = view.findChild<QTreeWidget*>(QStringLiteral("exportReport"));
    REQUIRE(rows != nullptr);
    CHECK(rows->columnViewportPosition(2) < rows->viewport()->width() - 100);
    view.resize(1200, 400);
    QApplication::processEvents();
    CHECK(rows->columnWidth(0) > 740 / 2);
}

TEST_CASE("the file that is open is never written to, another one after a question", "[export]")
{
    const ExportDesktop session;
    const std::string own = session.path("net.pbtxt");
    REQUIRE(writeFileAtomically(session.path("net.tflite"), "something").ok());
    REQUIRE(session.withDialog("set exportFile \"" + own + R"("
press Export
wait idle
expect text exportFault "is the file that is open; choose another name"
set exportFile ")" + session.path("net.tflite") +
                               R"("
press Export
wait idle
key Escape
wait idle)") == 0);
    CHECK(bytesOf(own) == networkOf("4", "", "relu"));
    CHECK(bytesOf(session.path("net.tflite")) == "something");
}

TEST_CASE("a script exports with one command, and opens what was written", "[export]")
{
    const ExportDesktop session;
    REQUIRE(session.run("open " + session.path("net.pbtxt") + "\nwait idle\nexport " +
                        session.path("small.onnx") + R"(
wait idle
expect text exportSummary "small.onnx"
press "Open the file"
wait idle
expect tabs 2)") == 0);
    CHECK(session.written("small.onnx")->find("y").isValid());
}

TEST_CASE("a SavedModel is exported with the values of its variables", "[export]")
{
    for (const char* name : {"half_plus_two", "serving_half_plus_two_tf2"}) {
        const ExportDesktop session;
        const std::string model = (sharedData() / "models/real" / name).string();
        INFO(name);
        REQUIRE(session.run("open \"" + model + R"("
wait idle
action file.exportDevice
expect text exportCheckpoint "variables"
set exportFile ")" + session.path("half.tflite") +
                            R"("
press Export
wait idle
expect text exportSummary "half.tflite"
expect text exportReport "froze 2 variables"
expect text exportReport "the same numbers"
key Escape
wait idle)") == 0);
        CHECK(session.written("half.tflite")->size() > 0);
        const GraphChoice& graphs = session.window->parts().tabs->document()->graphs();
        CHECK(graphs.isInNetwork() == (graphs.network() != nullptr)); // unchanged
    }
}

TEST_CASE("a setting without a shape has the value that infers, for good", "[export]")
{
    const ExportDesktop session("4", R"(
node { name: "prob" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "size" op: "Shape" input: "relu" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "r" op: "RandomUniform" input: "size" attr { key: "T" value { type: DT_INT32 } }
  attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "sum" op: "Add" input: "prob" input: "r" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "mask" op: "Floor" input: "sum" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "left" op: "Mul" input: "relu" input: "mask"
  attr { key: "T" value { type: DT_FLOAT } } })",
                                "left");
    CHECK(session.withDialog(R"(
set exportInputs "x, prob"
key Tab
expect text exportValue1 "1"
press Export
wait idle
expect text exportSummary "net.tflite"
key Escape
wait idle)") == 0);
    CHECK_FALSE(session.written("net.tflite")->find("prob").isValid());
}

TEST_CASE("variables without values are refused with the reason", "[export]")
{
    const ExportDesktop session;
    const std::string model = session.path("untrained.pbtxt");
    REQUIRE(writeFileAtomically(model, R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } } } } }
node { name: "w" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } } } } }
node { name: "read" op: "ReadVariableOp" input: "w"
  attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "Mul" input: "x" input: "read" attr { key: "T" value { type: DT_FLOAT } } }
)")
                .ok());
    CHECK(session.run("open " + model + R"(
wait idle
action file.exportDevice
press Export
wait idle
expect text exportSummary "1 variable without values, since no checkpoint belongs to the model"
set exportCheckpoint "/nowhere/model-1"
press Export
wait idle
expect text exportFault "/nowhere/model-1"
key Escape
wait idle)") == 0);
}

TEST_CASE("a wrong name is one sentence in the dialog", "[export]")
{
    const ExportDesktop session;
    CHECK(session.withDialog(R"(
set exportOutputs "nothing"
press Export
wait idle
expect text exportFault "the output 'nothing' is not a tensor of the graph"
key Escape
wait idle)") == 0);
}
