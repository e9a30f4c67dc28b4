// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

#include <filesystem>

namespace lapidary {

TEST_CASE("variables are not lost without being asked", "[cli]")
{
    const TestFolder folder;
    const std::string variable = R"(node { name: "v" op: "VariableV2"
      attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "shape" value { shape { dim { size: 2 } } } } }
    node { name: "read" op: "Identity" input: "v" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "y" op: "Neg" input: "read" attr { key: "T" value { type: DT_FLOAT } } }
    )";
    const std::string out = folder.file("out.pb");
    const std::string meta = folder.write("model.meta.pbtxt", "graph_def {\n" + variable + "}\n");
    const std::vector<std::string> call{"transform",     meta, "--outputs", "y", "--transforms",
                                        "remove_device", "-o", out};
    const Ran lost = runLapidary(call);
    CHECK(lost.exitCode == 3);
    CHECK(lost.err.find("1 variable would be written without its value") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(out));
    std::vector<std::string> asked = call;
    asked.emplace_back("--keep-variables");
    CHECK(runLapidary(asked).exitCode == 0);
    std::vector<std::string> frozen = call;
    frozen.insert(frozen.end(), {"--freeze"});
    CHECK(runLapidary(frozen).exitCode == 3); // no checkpoint belongs to it
    // A GraphDef never had values.
    const std::string plain = folder.write("plain.pbtxt", variable);
    const Ran said = runLapidary(
        {"transform", plain, "--outputs", "y", "--transforms", "remove_device", "-o", out});
    CHECK(said.exitCode == 0);
    CHECK(said.err.find("1 variable without values") != std::string::npos);
}

TEST_CASE("a model without a signature is frozen with its likely outputs named", "[cli]")
{
    const TestFolder folder;
    const std::string plain = folder.write("plain.pbtxt", R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } })");
    const Ran asked = runLapidary({"freeze", plain, "-o", folder.file("out.pb")});
    CHECK(asked.exitCode == 3);
    INFO(asked.err);
    CHECK(asked.err.find("no signature that names its outputs; name the outputs, as "
                         "with --outputs y:0\n") != std::string::npos);
    CHECK(
        runLapidary({"freeze", plain, "-o", folder.file("out.pb"), "--outputs", "y:0"}).exitCode ==
        0);
}

TEST_CASE("a preset goes without the inputs that freezing leaves out", "[cli]")
{
    const TestFolder folder;
    const std::string model =
        (sourceFolder() / "tests" / "goldens" / "models" / "real" / "half_plus_two_v2").string();
    const Ran made = runLapidary({"transform", model, "--preset", "mobile-fp32", "--inputs", "x,x2",
                                  "--outputs", "y", "-o", folder.file("out.pb")});
    INFO(made.err);
    CHECK(made.exitCode == 0);
    CHECK(made.err.find("left out because of an error") == std::string::npos);
}

namespace {

// A SavedModel whose saver restores one variable.
const char* const restored = R"(saved_model_schema_version: 1
meta_graphs {
  TAGS
  graph_def {
    node { name: "file" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
      attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { } string_val: "m" } } } }
    node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "shape" value { shape { dim { size: 2 } } } } }
    node { name: "read" op: "Identity" input: "v" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "y" op: "Neg" input: "read" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "restore_all" op: "NoOp" }
  }
  saver_def { filename_tensor_name: "file:0" restore_op_name: "restore_all" }
})";

std::string restoredModel(const std::string& tags)
{
    std::string text = restored;
    return text.replace(text.find("TAGS"), 4, tags);
}

} // namespace

TEST_CASE("a SavedModel without its folder of variables is told what is missing", "[cli]")
{
    const TestFolder folder;
    folder.write("saved_model.pbtxt", restoredModel("meta_info_def { tags: \"serve\" }"));
    const std::string model = folder.path().string();
    const std::string sentence = "the folder 'variables', which is missing beside "
                                 "saved_model.pbtxt";
    const Ran ran = runLapidary({"run", model, "--fetch", "y"});
    INFO(ran.err);
    CHECK(ran.exitCode == 3);
    CHECK(ran.err.find(sentence + "; fetch it too") != std::string::npos);
    const Ran frozen = runLapidary({"freeze", model, "--outputs", "y", "-o", folder.file("f.pb")});
    INFO(frozen.err);
    CHECK(frozen.exitCode == 3);
    CHECK(frozen.err.find(sentence) != std::string::npos);
}

TEST_CASE("a module of TensorFlow Hub is meant to have no tags", "[cli]")
{
    const TestFolder folder;
    folder.write("saved_model.pbtxt", restoredModel(""));
    const std::string model = folder.path().string();
    CHECK(runLapidary({"check", model}).out.find("no_tags") != std::string::npos);
    folder.write("tfhub_module.pb", "\x08\x03");
    CHECK(runLapidary({"check", model}).out.find("no_tags") == std::string::npos);
}

} // namespace lapidary
