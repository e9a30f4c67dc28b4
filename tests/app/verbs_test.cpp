// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

#include <algorithm>
#include <filesystem>

namespace lapidary {
namespace {

const std::string tinyGraph = R"(node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: "w" op: "Const"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } }
    float_val: 1 float_val: 2.5 float_val: 0 float_val: -3.5 } } } }
node { name: "scope/y" op: "Relu" input: "x" input: "^w" device: "/cpu:0"
  attr { key: "T" value { type: DT_FLOAT } } }
)";

bool isOneLine(const std::string& text)
{
    return !text.empty() && text.find('\n') == text.size() - 1;
}

} // namespace

TEST_CASE("wrong use ends with 2 and one line that says so", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("tiny.pbtxt", tinyGraph);
    const std::vector<std::vector<std::string>> calls{
        {"sumarize", graph},
        {"summarize"},
        {"summarize", graph, "--no-such-flag"},
        {"show", graph},
        {"interface", graph, "--meta-graph", "7"},
        {"interface", graph, "--meta-graph", "many"},
        {"convert", graph, folder.file("out.bin")},
        {"convert", graph, graph},
        {"convert", graph, folder.file("out.pb"), "--as", "onnx"},
        {"convert", graph, folder.file("out.pb"), "--meta-graph", "0"},
    };
    for (const auto& call : calls) {
        const Ran ran = runLapidary(call);
        INFO(call[0] << ' ' << ran.err);
        CHECK(ran.exitCode == 2);
        CHECK(ran.out.empty());
        CHECK(isOneLine(ran.err));
        CHECK(ran.err.rfind("lapidary: ", 0) == 0);
    }
    CHECK(runLapidary({"sumarize"}).err.find("'summarize'") != std::string::npos);
}

TEST_CASE("a file that cannot be used ends with 3 and is named", "[cli]")
{
    const TestFolder folder;
    const std::string picture = folder.write("cat.pb", "\x89PNG\r\n\x1a\n0000IHDR");
    const std::string graph = folder.write("tiny.pbtxt", tinyGraph);
    const std::vector<std::vector<std::string>> calls{
        {"summarize", folder.file("missing.pb")},
        {"interface", picture},
        {"show", graph, "no/such/node"},
        {"dot", graph, "-o", folder.file("no/such/folder/a.dot")},
        {"convert", picture, folder.file("out.pb")},
        {"check", folder.file("missing.pb")},
    };
    for (const auto& call : calls) {
        const Ran ran = runLapidary(call);
        INFO(call[0] << ' ' << ran.err);
        CHECK(ran.exitCode == 3);
        CHECK(ran.out.empty());
        CHECK(isOneLine(ran.err));
        CHECK(ran.err.find(folder.path().string()) != std::string::npos);
    }
}

TEST_CASE("help and version go to standard output", "[cli]")
{
    const Ran help = runLapidary({"--help"});
    CHECK(help.exitCode == 0);
    CHECK(help.err.empty());
    for (const char* verb : {"benchmark", "check", "convert", "dot", "interface", "label-image",
                             "run", "show", "summarize"}) {
        INFO(verb);
        CHECK(help.out.find(verb) != std::string::npos);
        const Ran own = runLapidary({verb, "--help"});
        CHECK(own.exitCode == 0);
        CHECK(own.out.find("Example: lapidary " + std::string(verb)) != std::string::npos);
    }
    CHECK(runLapidary({"--version"}).out == "lapidary " LAPIDARY_VERSION "\n");
}

TEST_CASE("summarize --json has every field", "[cli]")
{
    const TestFolder folder;
    const auto json =
        runLapidary({"summarize", folder.write("t.pbtxt", tinyGraph), "--json"}).json();
    CHECK(json["inputs"] ==
          nlohmann::json::parse(R"([{"name": "x", "dtype": "float", "shape": [-1, 2]}])"));
    CHECK(json["outputs"] == nlohmann::json::parse(R"([{"name": "scope/y", "op": "Relu"}])"));
    CHECK(json["variables"] == 0);
    CHECK(json["const_parameters"] == 4);
    CHECK(json["variable_parameters"] == 0);
    CHECK(json["control_edges"] == 1);
    CHECK(json["ops"] == nlohmann::json::parse(R"({"Const": 1, "Placeholder": 1, "Relu": 1})"));
    CHECK(json["functions"].is_object());
}

TEST_CASE("summarize takes TensorFlow's spellings and standard input", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("t.pbtxt", tinyGraph);
    const std::string plain = runLapidary({"summarize", graph}).out;
    CHECK(plain.rfind("Found 1 possible input: (name=x, type=float(1), shape=[?,2]) \n", 0) == 0);
    CHECK(runLapidary({"summarize", "--in_graph=" + graph}).out == plain);
    CHECK(runLapidary({"summarize", "-in_graph=" + graph}).out == plain);
    CHECK(runLapidary({"summarize", "--in-graph", graph}).out == plain);
    const std::string structure = runLapidary({"summarize", graph, "--print_structure=true"}).out;
    CHECK(structure.find("scope/y (Relu): [x, ^w]\n") != std::string::npos);
    const Ran piped = runLapidary({"summarize", "-"}, tinyGraph);
    CHECK(piped.exitCode == 0);
    CHECK(piped.out.starts_with("Found 1 possible input: "));
    CHECK(piped.out.find("To time it") == std::string::npos);
}

TEST_CASE("called as summarize_graph it is summarize_graph", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("t.pbtxt", tinyGraph);
    const Ran good = runLapidary({"--in_graph=" + graph}, {}, "/usr/bin/summarize_graph");
    CHECK(good.exitCode == 0);
    CHECK(good.out.starts_with("Found 1 possible inputs: (name=x, type=float(1), shape=[?,2]) \n"));
    CHECK(good.out.find("benchmark_model -- --graph=" + graph) != std::string::npos);
    const Ran bad = runLapidary({graph}, {}, "summarize_graph");
    CHECK(bad.exitCode == 255);
    CHECK(bad.out.empty());
    CHECK(bad.err.find("Unknown argument " + graph + ".\nusage: summarize_graph\nFlags:\n") !=
          std::string::npos);
}

TEST_CASE("interface --json ranks tensors with reasons", "[cli]")
{
    const auto json = runLapidary({"interface", sample("residual_network.pb"), "--json"}).json();
    for (const char* side : {"inputs", "outputs"}) {
        REQUIRE(json[side].is_array());
        REQUIRE_FALSE(json[side].empty());
        double before = 1.0;
        for (const auto& candidate : json[side]) {
            CHECK(candidate["name"].get<std::string>().find(':') != std::string::npos);
            CHECK(candidate["dtype"].is_string());
            CHECK((candidate["shape"].is_array() || candidate["shape"].is_null()));
            CHECK_FALSE(candidate["reasons"].empty());
            CHECK(candidate["score"].get<double>() <= before);
            before = candidate["score"].get<double>();
        }
    }
}

TEST_CASE("check lists problems and ends with 1 only where there is an error", "[cli]")
{
    const TestFolder folder;
    const Ran good = runLapidary({"check", folder.write("t.pbtxt", tinyGraph), "--json"});
    CHECK(good.exitCode == 0);
    CHECK(good.json()["format"] == "graph_def.text");
    const Ran bad = runLapidary({"check", sample("broken_graph.pb"), "--json"});
    CHECK(bad.exitCode == 1);
    CHECK(bad.json()["format"] == "graph_def.binary");
    REQUIRE_FALSE(bad.json()["problems"].empty());
    const nlohmann::json printed = bad.json();
    for (const auto& problem : printed["problems"]) {
        CHECK(problem["kind"].is_string());
        CHECK(problem["message"].is_string());
        const std::string severity = problem["severity"].get<std::string>();
        CHECK((severity == "error" || severity == "warning" || severity == "note"));
    }
    const Ran refused = runLapidary({"check", folder.write("cat.pb", "\x89PNG\r\n\x1a\n0000IHDR")});
    CHECK(refused.exitCode == 1);
    CHECK(refused.out.find("PNG") != std::string::npos);
    const Ran text = runLapidary({"check", sample("broken_graph.pb")});
    CHECK(text.exitCode == 1);
    CHECK(text.out.find(": error: ") != std::string::npos);
}

TEST_CASE("show says everything of one node", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("t.pbtxt", tinyGraph);
    const auto relu = runLapidary({"show", graph, "scope/y", "--json"}).json();
    CHECK(relu["name"] == "scope/y");
    CHECK(relu["op"] == "Relu");
    CHECK(relu["device"] == "/cpu:0");
    CHECK(relu["inputs"] == nlohmann::json::parse(R"(["x:0"])"));
    CHECK(relu["control_inputs"] == nlohmann::json::parse(R"(["w"])"));
    CHECK(relu["consumers"].empty());
    CHECK(relu["attrs"]["T"] == "float");
    CHECK(relu["scope"] == "scope");
    CHECK(relu["tensor"].is_null());
    const auto weights = runLapidary({"show", graph, "w:0", "--json"}).json();
    CHECK(weights["consumers"] == nlohmann::json::parse(R"(["scope/y"])"));
    const auto& tensor = weights["tensor"];
    CHECK(tensor["dtype"] == "float");
    CHECK(tensor["shape"] == nlohmann::json::parse("[4]"));
    CHECK(tensor["min"] == -3.5);
    CHECK(tensor["max"] == 2.5);
    CHECK(tensor["mean"] == 0.0);
    CHECK(tensor["std"].get<double>() == Approx(2.2079402166));
    CHECK(tensor["zeros"] == 1);
    CHECK(tensor["nan"] == 0);
    CHECK(tensor["inf"] == 0);
    const Ran text = runLapidary({"show", graph, "scope/y"});
    CHECK(text.out.find("Relu(features: T) -> (activations: T)") != std::string::npos);
    CHECK(text.out.find("control input w\n") != std::string::npos);
}

TEST_CASE("convert writes the same message in the other form and back", "[cli]")
{
    const TestFolder folder;
    const std::string text = folder.file("a.pbtxt");
    const std::string binary = folder.file("a.pb");
    REQUIRE(runLapidary({"convert", sample("residual_network.pb"), text}).exitCode == 0);
    REQUIRE(runLapidary({"convert", text, binary}).exitCode == 0);
    CHECK(fileBytes(binary) == fileBytes(sample("residual_network.pb")));
    const Ran piped = runLapidary({"convert", "-", "-", "--format", "pbtxt"},
                                  fileBytes(sample("residual_network.pb")));
    CHECK(piped.exitCode == 0);
    CHECK(piped.out == fileBytes(text));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
    const std::string damaged =
        folder.write("cut.pb", fileBytes(sample("residual_network.pb")).substr(0, 5000));
    const Ran refused = runLapidary({"convert", damaged, folder.file("b.pb")});
    CHECK(refused.exitCode == 3);
    CHECK_FALSE(std::filesystem::exists(folder.file("b.pb")));
}

// Errors in files beside the graph, or in references to them, are no reason to refuse the graph.
TEST_CASE("convert writes a sound graph of a SavedModel that lacks its files", "[cli]")
{
    const TestFolder folder;
    folder.write("saved_model.pbtxt", "saved_model_schema_version: 1\nmeta_graphs {\n"
                                      "  meta_info_def { tags: \"serve\" }\n  graph_def {\n" +
                                          tinyGraph + R"(
    node { name: "v" op: "VariableV2"
      attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "shape" value { shape { dim { size: 2 } } } } }
  }
  saver_def { filename_tensor_name: "x:0" save_tensor_name: "x:0" restore_op_name: "x" }
  asset_file_def { tensor_info { name: "x:0" } filename: "gone.txt" }
  signature_def { key: "serving_default" value {
    inputs { key: "x" value { name: "x:0" dtype: DT_INT32 } }
    outputs { key: "y" value { name: "scope/y:0" dtype: DT_FLOAT } } } }
})");
    const std::string model = folder.path().string();
    const Ran checked = runLapidary({"check", model});
    for (const char* kind : {"missing_variables", "missing_asset", "bad_signature"}) {
        INFO(kind << ' ' << checked.out);
        CHECK(checked.out.find(kind) != std::string::npos);
    }
    const Ran graph = runLapidary({"convert", model, folder.file("out.pb"), "--as", "graphdef"});
    INFO(graph.err);
    CHECK(graph.exitCode == 0);
    CHECK(runLapidary({"check", folder.file("out.pb")}).exitCode == 0);
    CHECK(runLapidary({"convert", model, folder.file("whole.pb")}).exitCode == 0);
}

TEST_CASE("dot writes to standard output or a file, twice the same", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("t.pbtxt", tinyGraph);
    const Ran ran = runLapidary({"dot", graph});
    CHECK(ran.exitCode == 0);
    CHECK(ran.out.rfind("digraph", 0) == 0);
    REQUIRE(
        runLapidary({"dot", "--graph=" + graph, "--dot_output=" + folder.file("a.dot")}).exitCode ==
        0);
    CHECK(fileBytes(folder.file("a.dot")) == ran.out);
}

#ifndef LAPIDARY_HAS_WINDOW
TEST_CASE("a build without a window says so", "[cli]")
{
    const Ran render = runLapidary({"render", sample("flat_chain.pb"), "-o", "a.png"});
    CHECK(render.exitCode == 2);
    CHECK(isOneLine(render.err));
}

TEST_CASE("a build without a window does not open files", "[cli]")
{
    const Ran window = runLapidary({sample("flat_chain.pb")});
    CHECK(window.exitCode == 2);
    CHECK(isOneLine(window.err));
}
#endif

TEST_CASE("diff lists what makes one graph the other, and ends with 1 where something does",
          "[cli]")
{
    const TestFolder folder;
    const std::string before = folder.write("before.pbtxt", tinyGraph);
    std::string text = tinyGraph;
    text.replace(text.find("float_val: 2.5"), 14, "float_val: 3.5");
    text.replace(text.find("\"Relu\""), 6, "\"Relu6\"");
    text.replace(text.find("\"^w\" device"), 11, "\"w\" device");
    text += "node { name: \"z\" op: \"NoOp\" }\n";
    const std::string after = folder.write("after.pbtxt", text);

    const Ran same = runLapidary({"diff", before, before});
    CHECK(same.exitCode == 0);
    CHECK(same.out == "The graphs are the same.\n");

    const Ran listed = runLapidary({"diff", before, after});
    CHECK(listed.exitCode == 1);
    CHECK(listed.out.find("1 Relu replaced by Relu6, 1 Const with other values, 1 NoOp added.") ==
          0);
    CHECK(listed.out.find(".\n1 added, 1 rewired, 1 with another op, 1 constant changed\n") !=
          std::string::npos);
    CHECK(listed.out.find("\n+ z (NoOp)\n") != std::string::npos);

    const nlohmann::json json = runLapidary({"diff", before, after, "--json"}).json();
    CHECK(json["same"] == false);
    CHECK(json["summary"].get<std::string>().starts_with("1 Relu replaced by Relu6, "));
    CHECK(json["changes"][0]["nodes"].size() == 1);
    CHECK(json["added"] == nlohmann::json::array({"z"}));
    CHECK(json["removed"].empty());
    REQUIRE(json["ops"].size() == 1);
    CHECK(json["ops"][0]["after"] == "Relu6");
    REQUIRE(json["constants"].size() == 1);
    CHECK(json["constants"][0]["max_abs"] == 1.0);
    REQUIRE(json["rewired"].size() == 1);
    CHECK(json["rewired"][0]["before"] == nlohmann::json::array({"x", "^w"}));

    CHECK(runLapidary({"diff", before}).exitCode == 2);
    CHECK(runLapidary({"diff", before, folder.file("none.pb")}).exitCode == 3);
}

TEST_CASE("verify says whether two graphs compute the same, and transform --verify does", "[cli]")
{
    const TestFolder folder;
    const std::string before = folder.write("before.pbtxt", tinyGraph);
    std::string text = tinyGraph;
    text.replace(text.find("\"Relu\""), 6, "\"Neg\"");
    const std::string after = folder.write("after.pbtxt", text);
    const std::vector<std::string> ends{"--inputs", "x", "--outputs", "scope/y"};
    const auto with = [&](std::vector<std::string> call) {
        call.insert(call.end(), ends.begin(), ends.end());
        return runLapidary(call);
    };

    CHECK(with({"verify", before, before}).exitCode == 0);
    const Ran differing = with({"verify", before, after, "--json"});
    CHECK(differing.exitCode == 1);
    CHECK(differing.json()["same"] == false);
    CHECK(differing.json()["first_above"]["a"] == "scope/y:0");
    CHECK(with({"verify", before, folder.file("none.pb")}).exitCode == 3);
    const std::string rows = with({"verify", before, after, "--nodes"}).out;
    CHECK(rows.starts_with(" SQNR dB   saturated"));
    CHECK(rows.find(" * scope/y:0\n") != std::string::npos);

    const Ran kept =
        with({"transform", before, "--transforms", "remove_device", "--verify", "--json"});
    CHECK(kept.exitCode == 0);
    CHECK(kept.json()["verification"]["same"] == true);
    const Ran changed = with({"transform", before, "--transforms",
                              "rename_op(old_op_name=Relu, new_op_name=Neg)", "--verify"});
    CHECK(changed.exitCode == 1);
    CHECK(changed.err.find("The graphs do not compute the same.") != std::string::npos);
}

TEST_CASE("an unknown preset is answered with those that there are", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("tiny.pbtxt", tinyGraph);
    const Ran ran = runLapidary({"transform", graph, "--preset", "smaller", "--stats"});
    CHECK(ran.exitCode == 2);
    CHECK(ran.err.find("there are arm-32bit, arm-8bit") != std::string::npos);
}

TEST_CASE("several files are looked at one after the other", "[cli]")
{
    const TestFolder folder;
    const std::string a = folder.write("a.pbtxt", tinyGraph);
    const std::string b = folder.write("b.pbtxt", tinyGraph);
    const std::string gone = folder.file("gone.pb");
    for (const char* verb : {"summarize", "interface", "shapes", "check"}) {
        INFO(verb);
        const Ran both = runLapidary({verb, a, b});
        CHECK(both.exitCode == 0);
        CHECK(both.out.find(a) < both.out.find(b));
        CHECK(both.out.find(b) != std::string::npos);
        const Ran json = runLapidary({verb, a, b, "--json"});
        REQUIRE(json.json()["files"].size() == 2);
        CHECK(json.json()["files"][1]["file"] == b);
        const Ran one = runLapidary({verb, a, "--json"});
        CHECK_FALSE(one.json().contains("files"));
        const Ran broken = runLapidary({verb, gone, a});
        CHECK(broken.exitCode == 3);
        CHECK(broken.out.find(a) != std::string::npos); // nevertheless
    }
}

TEST_CASE("the command at the end of summarize works", "[cli]")
{
    const TestFolder folder;
    std::string open = tinyGraph;
    open.replace(open.find("size: 2"), 7, "size: -1");
    const std::string graph = folder.write("it's open.pbtxt", open);
    const std::string out = runLapidary({"summarize", graph}).out;
    CHECK(out.find("To time it: lapidary benchmark '") != std::string::npos);
    const std::size_t at = out.find("--shape 'x=");
    REQUIRE(at != std::string::npos);
    const std::string sizes = out.substr(at + 9, out.find('\'', at + 9) - at - 9);
    CHECK(sizes.find("-1") == std::string::npos);
    CHECK(runLapidary({"benchmark", graph, "--max-num-runs=1", "--shape", sizes}).exitCode == 0);
    // The same sizes are proposed when they are missing.
    const Ran ran = runLapidary({"run", graph});
    CHECK(ran.exitCode == 3);
    CHECK(ran.err.find("as with --shape " + sizes) != std::string::npos);
    CHECK(runLapidary({"run", graph, "--shape", sizes}).exitCode == 0);
}

TEST_CASE("device proposes the sizes that run proposes", "[cli]")
{
    const TestFolder folder;
    std::string text = tinyGraph;
    text.replace(text.find("shape { dim { size: -1 } dim { size: 2 } }"), 42,
                 "shape { unknown_rank: true }");
    text += R"(node { name: "sizes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
        attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 3 } }
        int_val: 1 int_val: 5 int_val: 7 } } } }
        node { name: "z" op: "Reshape" input: "scope/y" input: "sizes"
        attr { key: "T" value { type: DT_FLOAT } } })";
    const std::string graph = folder.write("any.pbtxt", text);
    const auto remedy = [](const Ran& ran) {
        CHECK(ran.exitCode == 3);
        const std::size_t at = ran.err.find("; give");
        return at == std::string::npos ? ran.err : ran.err.substr(at);
    };
    const std::string proposed = remedy(runLapidary({"run", graph}));
    CHECK(proposed.find("--shape x") != std::string::npos);
    CHECK(remedy(runLapidary({"device", graph, "--abi", "x86"})) == proposed);
}

TEST_CASE("interface knows the shapes that shapes infers", "[cli]")
{
    const TestFolder folder;
    std::string text = tinyGraph;
    for (int i = 0; i < 9; ++i)
        text += "node { name: \"side" + std::to_string(i) +
                "\" op: \"Neg\" input: \"x\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
    const std::string graph = folder.write("t.pbtxt", text);
    const auto shapes = runLapidary({"shapes", graph, "--json"}).json();
    const auto all = runLapidary({"interface", graph, "--json"}).json();
    for (const auto& output : all["outputs"])
        CHECK(output["shape"] == shapes["tensors"][output["name"].get<std::string>()]["shape"]);
}

TEST_CASE("the tools' names are not verbs, but lead to them", "[cli]")
{
    const Ran ran = runLapidary({"summarize_graph", "--in_graph=a.pb"});
    CHECK(ran.exitCode == 2);
    CHECK(ran.err.find("'lapidary summarize' does the same") != std::string::npos);
    CHECK(runLapidary({"freeze_graph"}).err.find("'lapidary freeze'") != std::string::npos);
    CHECK(runLapidary({"--verson"}).err.find("did you mean '--version'") != std::string::npos);
    const std::string graph = sample("residual_network.pb");
    CHECK(runLapidary({"run", graph, "--fetch", "imagse"}).err.find("may be meant") !=
          std::string::npos);
}

TEST_CASE("a remark says which parts of a recipe have no effect", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("tiny.pbtxt", tinyGraph);
    const std::string out = folder.file("out.pb");
    const std::vector<std::string> ends{"--inputs", "x", "--outputs", "scope/y", "-o", out};
    const auto with = [&](std::vector<std::string> call) {
        call.insert(call.begin(), {"transform", graph});
        call.insert(call.end(), ends.begin(), ends.end());
        return runLapidary(call);
    };
    const Ran nothing = with({"--transforms", "fold_batch_norms"});
    CHECK(nothing.exitCode == 0);
    CHECK(nothing.err == "lapidary: fold_batch_norms found nothing to change\n");
    const Ran emptied =
        runLapidary({"transform", graph, "--transforms", "strip_unused_nodes", "-o", out});
    CHECK(emptied.err.find("name the outputs to keep, with --inputs and --outputs\n") !=
          std::string::npos);
    const Ran larger = with({"--transforms", "quantize_weights(minimum_size=1)"});
    CHECK(larger.exitCode == 0);
    CHECK(larger.err.find("8 bits do not pay off: the file grows from") != std::string::npos);
    CHECK(with({"--transforms", "remove_device"}).err.empty());
    const Ran foreseen =
        runLapidary({"transform", graph, "--inputs", "x", "--outputs", "scope/y", "--transforms",
                     "quantize_weights(minimum_size=1)", "--preview"});
    CHECK(foreseen.err.find("8 bits do not pay off: the file grows from") != std::string::npos);
    const Ran blind = with({"--preset", "arm-8bit-observed"});
    CHECK(blind.err.find("needs sample inputs: pass --images FOLDER") != std::string::npos);
}

} // namespace lapidary
