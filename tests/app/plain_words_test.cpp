// SPDX-License-Identifier: Apache-2.0
// Messages and output of verbs in unusual cases: empty graphs, standard input for both files, two
// results for one stream, names that TensorFlow refuses.
#include "tests/app/program.h"
#include "tests/catch.h"

#include <algorithm>

namespace lapidary {
namespace {

const std::string quotes = "\"";

std::string weights(int columns)
{
    std::string values;
    for (int i = 0; i < 4 * columns; ++i)
        values += " float_val: " + std::to_string(i * 37 % 19 - 9) + ".5";
    return " attr { key: \"value\" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } "
           "dim { size: " +
           std::to_string(columns) + " } }" + values + " } } }";
}

// x [1, 4] -> PRODUCT (MatMul) -> y (Relu); `product` is a name in the text format.
std::string network(const std::string& product = "mm")
{
    const std::string isFloat = " attr { key: \"T\" value { type: DT_FLOAT } } }\n";
    const std::string dtype = " attr { key: \"dtype\" value { type: DT_FLOAT } }";
    return "node { name: \"x\" op: \"Placeholder\"" + dtype +
           " attr { key: \"shape\" value { shape { dim { size: 1 } dim { size: 4 } } } } }\n"
           "node { name: \"w\" op: \"Const\"" +
           dtype + weights(2) + " }\nnode { name: " + quotes + product + quotes +
           " op: \"MatMul\" input: \"x\" input: \"w\"" + isFloat +
           "node { name: \"y\" op: \"Relu\" input: " + quotes + product + quotes + isFloat;
}

const std::string noNodes = "versions { producer: 134 }\n";

const std::string variable = R"(node { name: "v" op: "VariableV2"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } } } } }
node { name: "y" op: "Relu" input: "v" attr { key: "T" value { type: DT_FLOAT } } }
)";

bool says(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("every file that a verb writes is held against those that it reads", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", network());
    const std::vector<std::vector<std::string>> calls{
        {"dot", graph, "-o", graph},
        {"autopilot", graph, "-o", graph},
        {"autopilot", graph, "--recipe", graph},
        {"kernels", graph, "--header", graph},
        {"benchmark", graph, "--trace", graph},
        {"benchmark", graph, "--csv", graph},
        {"device", graph, "--abi", "x86", "-o", graph},
        {"observe", graph, "--images", folder.path().string(), "--log", graph},
        {"optimize", graph, "--inputs", "x", "--outputs", "y", "-o", graph}};
    for (const auto& arguments : calls) {
        const Ran ran = runLapidary(arguments);
        INFO(arguments[0] << ": " << ran.err);
        CHECK(ran.exitCode == 2);
        CHECK(says(ran.err, "is the input itself"));
        CHECK(fileBytes(graph) == network());
    }
}

TEST_CASE("one stream carries one thing", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", network());
    for (const char* verb : {"diff", "compare", "verify"}) {
        const Ran both = runLapidary({verb, "-", "-"}, network());
        CHECK(both.exitCode == 2);
        CHECK(says(both.err, "cannot both be read from standard input"));
    }
    CHECK(runLapidary({"kernels", graph, "--header", "-", "--json"}).exitCode == 2);
    CHECK(runLapidary({"autopilot", graph, "-o", "-", "--json"}).exitCode == 2);
    CHECK(runLapidary({"autopilot", graph, "-o", "-", "--recipe", "-"}).exitCode == 2);
    CHECK(runLapidary({"events", graph, "-o", "-"}).exitCode == 2);

    const Ran package = runLapidary({"memmap", graph, "-o", "-", "--min-bytes", "1"});
    CHECK(package.exitCode == 0);
    CHECK(says(package.err, "1 constant can be memory-mapped"));
    const std::string mapped = folder.write("net.mmap", package.out);
    CHECK(says(runLapidary({"check", mapped}).out, "memory-mapped package, 0 errors"));
    const Ran small = runLapidary({"autopilot", graph, "-o", "-"});
    REQUIRE(small.exitCode == 0);
    const Ran read = runLapidary({"check", "-"}, small.out);
    CHECK(says(read.out, "binary GraphDef, 0 errors"));
}

TEST_CASE("the autopilot says of what is not smaller that it is not", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", network("m"));
    const std::string out = folder.file("small.pbtxt");
    const Ran ran = runLapidary({"autopilot", graph, "-o", out});
    INFO(ran.out);
    REQUIRE(ran.exitCode == 0);
    CHECK(ran.err.empty()); // progress is for terminals
    CHECK(says(ran.out, " % larger than the model"));
    CHECK(says(ran.out, "1 file built"));
    CHECK(fileBytes(out).starts_with("node {"));
}

TEST_CASE("an error that many nodes have alike is reported once", "[cli]")
{
    const TestFolder folder;
    std::string text;
    for (const char* name : {"a", "b", "c", "d"})
        text += std::string("node { name: \"") + name + "\" op: \"NoSuchOp\" }\n";
    const std::string graph = folder.write("custom.pbtxt", text);
    const Ran once = runLapidary({"check", graph});
    CHECK(says(once.out, ": a and 3 more: error: "));
    CHECK_FALSE(says(once.out, ": b: error: "));
    CHECK(says(once.out, "4 errors, 0 warnings, 0 notes (--all gives each node a line)"));
    const Ran each = runLapidary({"check", graph, "--all"});
    CHECK(says(each.out, ": b: error: "));
    CHECK_FALSE(says(each.out, "--all"));
    CHECK(runLapidary({"check", graph, "--json"}).json()["problems"].size() == 4);
    const std::string few =
        folder.write("few.pbtxt", text.substr(0, text.find("node { name: \"d")));
    CHECK(says(runLapidary({"check", few}).out, ": b: error: "));
}

TEST_CASE("a variable without a value is told where weights belong", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", R"(
node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "y" op: "Identity" input: "v" attr { key: "T" value { type: DT_FLOAT } } })");
    const Ran ran = runLapidary({"run", graph, "--fetch", "y"});
    CHECK(ran.exitCode != 0);
    CHECK(says(ran.err, "the variable v has no value: its weights belong in the checkpoint"));
}

TEST_CASE("an output of an op that nothing is known of lacks a kernel", "[cli]")
{
    const TestFolder folder;
    const std::string graph =
        folder.write("net.pbtxt", R"(node { name: "cut" op: "CutIntoWords" })");
    const Ran ran = runLapidary({"run", graph, "--fetch", "cut:3"});
    CHECK(ran.exitCode != 0);
    CHECK(says(ran.err, "no kernel for CutIntoWords (cut)"));
}

TEST_CASE("interface says what the texts of an input are to hold", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", R"(
node { name: "file" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
node { name: "sound" op: "DecodeWav" input: "file" })");
    CHECK(says(runLapidary({"interface", graph}).out, "takes the contents of a WAV file"));
}

TEST_CASE("an empty graph is called empty, since no flag mends it", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", network());
    const std::string empty = folder.write("empty.pbtxt", noNodes);
    const std::string out = folder.file("out.tflite");
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"sensitivity", empty},
                                               {"autopilot", empty},
                                               {"export", empty, "-o", out},
                                               {"freeze", empty, "-o", out},
                                               {"label-image", empty, "--image", graph},
                                               {"support", empty, "--target", "desktop"},
                                               {"device", empty, "--abi", "x86"},
                                               {"verify", graph, empty}}) {
        const Ran ran = runLapidary(arguments);
        INFO(arguments[0] << ": " << ran.err);
        CHECK(ran.exitCode == 3);
        CHECK(says(ran.err, "graph has no nodes\n"));
    }
}

TEST_CASE("verify names the graph that lacks an output, and lists each tensor once", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", network());
    const Ran unknown = runLapidary({"verify", graph, graph, "--outputs", "nosuch"});
    CHECK(unknown.exitCode == 3);
    CHECK(says(unknown.err, "the first graph: the output nosuch:0: no node is named nosuch"));
    const Ran ran = runLapidary({"verify", graph, graph, "--json"});
    REQUIRE(ran.exitCode == 0);
    const auto report = ran.json();
    for (const auto& pair : report["pairs"])
        CHECK(pair["cosine"] <= 1.0);
    const Ran rows = runLapidary({"verify", graph, graph, "--nodes"});
    CHECK(says(rows.out, "mm:0\n"));
    CHECK(rows.out.find("  y:0\n") == rows.out.rfind("  y:0\n"));
    CHECK(says(runLapidary({"verify", graph, graph}).out, "1 tensor on the way compared"));
}

TEST_CASE("names are printed on one line", "[cli]")
{
    const TestFolder folder;
    const std::string odd = folder.write("odd.pbtxt", network("a\\n\\033[31mb"));
    const Ran sensitivity = runLapidary({"sensitivity", odd});
    INFO(sensitivity.out << sensitivity.err);
    CHECK(says(sensitivity.out, "1 layer, each alone"));
    CHECK(says(sensitivity.out, "a\\x0a\\x1b[31mb (MatMul)"));
    const auto json = runLapidary({"sensitivity", odd, "--json"}).json();
    CHECK(json["layers"][0]["order"] == 0);
    CHECK(says(sensitivity.out, "\n      0 ")); // the same number as in JSON
    const std::string net = folder.write("net.pbtxt", network());
    const Ran compared = runLapidary({"compare", net, odd});
    CHECK(compared.exitCode == 1);
    CHECK(std::ranges::count(compared.out, '\n') == 1);
}

TEST_CASE("diff names what changed in the library", "[cli]")
{
    const TestFolder folder;
    const std::string net = folder.write("net.pbtxt", network());
    const std::string newer = folder.write("newer.pbtxt", network() + noNodes);
    const Ran versions = runLapidary({"diff", net, newer});
    CHECK(says(versions.out, "1 change of the versions."));
    const std::string function =
        "library { function { signature { name: 'F' input_arg { name: 'a' type: DT_FLOAT } "
        "output_arg { name: 'r' type: DT_FLOAT } } ret { key: 'r' value: 'a' } } }\n";
    const std::string with = folder.write("with.pbtxt", network() + function);
    CHECK(says(runLapidary({"diff", net, with}).out, "1 function added."));
    CHECK(says(runLapidary({"diff", with, net}).out, "1 function removed."));
}

TEST_CASE("questions about TensorFlow are not answered for other formats", "[cli]")
{
    const TestFolder folder;
    const std::string net = folder.write("net.pbtxt", network());
    const std::string onnx = folder.file("net.onnx");
    REQUIRE(runLapidary({"export", net, "-o", onnx}).exitCode == 0);
    const std::string out = folder.file("out");
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"kernels", onnx},
                                               {"support", onnx, "--target", "desktop"},
                                               {"events", onnx, "-o", out},
                                               {"memmap", onnx, "-o", out},
                                               {"freeze", onnx, "--outputs", "y", "-o", out}}) {
        const Ran ran = runLapidary(arguments);
        INFO(arguments[0] << ": " << ran.err);
        CHECK(ran.exitCode == 3);
        CHECK(ran.err.starts_with("lapidary: " + onnx + ": an ONNX model "));
        CHECK(says(ran.err, "its operators are not TensorFlow's"));
    }
}

TEST_CASE("freeze says that its file is damaged", "[cli]")
{
    const TestFolder folder;
    const std::string net = folder.write("net.pbtxt", network());
    const std::string whole = folder.file("net.pb");
    REQUIRE(runLapidary({"convert", net, whole}).exitCode == 0);
    const std::string bytes = fileBytes(whole);
    const std::string cut = folder.write("cut.pb", bytes.substr(0, bytes.size() - 3));
    const Ran ran = runLapidary({"freeze", cut, "--outputs", "mm", "-o", folder.file("out.pb")});
    INFO(ran.err);
    CHECK(ran.exitCode == 0);
    CHECK(says(ran.err, "cut.pb: is damaged"));
}

TEST_CASE("omitted and missing parts are reported", "[cli]")
{
    const TestFolder folder;
    const std::string net = folder.write("net.pbtxt", network());
    const std::string trained = folder.write("trained.pbtxt", variable);
    const std::string out = folder.file("out.pb");
    const Ran unneeded = runLapidary({"strip", net, "--inputs", "y", "--outputs", "mm", "-o", out});
    CHECK(unneeded.exitCode == 0);
    CHECK(says(unneeded.err, "the outputs do not need the input y"));
    const Ran mapped = runLapidary({"memmap", trained, "-o", out});
    CHECK(says(mapped.err, "1 variable has no value in what is written"));
    CHECK(says(mapped.err, "no constant has 10000 bytes"));

    const Ran shape = runLapidary({"label-image", net, "--image", net});
    CHECK(shape.exitCode == 3);
    CHECK(
        says(shape.err, "x:0 takes float [1,4], and a picture is float [?,height,width,channels]"));
    const Ran divisor = runLapidary({"label-image", net, "--image", net, "--input-std", "0"});
    CHECK(divisor.exitCode == 2);
    CHECK(says(divisor.err, "--input-std"));
    const Ran tolerance = runLapidary({"verify", net, net, "--abs", "-1"});
    CHECK(tolerance.exitCode == 2);
    CHECK(says(tolerance.err, "-1 is not a tolerance"));
    const Ran other = runLapidary({"export", net, "-o", out, "--as", "onnx", "--shape", "y=1,2"});
    CHECK(other.exitCode == 3);
    CHECK(says(other.err, "--shape y: the file has no such input"));
    const auto targets = runLapidary({"support", "--targets", "--json"}).json();
    CHECK(targets["targets"].size() > 5);
    CHECK(targets["targets"][0].contains("ops"));
}

} // namespace lapidary
