// SPDX-License-Identifier: Apache-2.0
// The verb export: the files that it writes, what it refuses, and its messages.
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

#include <filesystem>

namespace lapidary {
namespace {

// y = relu(erf(tanh(x))): ONNX has an operator for each, TFLite none for Erf.
const char* const network = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 8 } } } } }
node { name: "half" op: "Tanh" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "e" op: "Erf" input: "half" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "e" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

} // namespace

TEST_CASE("export --check compares the file with the model", "[cli]")
{
    const TestFolder folder;
    const std::string model = folder.write("net.pbtxt", network);
    const std::string file = folder.file("net.onnx");
    const Ran text = runLapidary({"export", model, "-o", file, "--check"});
    INFO(text.err);
    CHECK(text.exitCode == 0);
    CHECK(text.err.find("The graphs compute the same.") != std::string::npos);
    CHECK(std::filesystem::exists(file));
    const auto json = runLapidary({"export", model, "-o", file, "--check", "--json"}).json();
    CHECK(json["operators"]["Erf"] == 1);
    CHECK(json["check"]["same"] == true);
    CHECK(json["check"]["samples"] == 32);
    // Without the flag, nothing is run.
    CHECK_FALSE(runLapidary({"export", model, "-o", file, "--json"}).json().contains("check"));
}

TEST_CASE("verify compares all outputs of one node with a file", "[cli]")
{
    const TestFolder folder;
    const std::string model = folder.write("both.pbtxt", R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 8 } } } } }
node { name: "a" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "b" op: "Tanh" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "both" op: "IdentityN" input: "a" input: "b"
  attr { key: "T" value { list { type: DT_FLOAT type: DT_FLOAT } } } }
versions { producer: 134 }
)");
    for (const char* ending : {"onnx", "tflite"}) {
        const std::string file = folder.file(std::string("both.") + ending);
        const Ran made = runLapidary({"export", model, "-o", file, "--outputs", "both:0,both:1"});
        INFO(made.err);
        REQUIRE(made.exitCode == 0);
        const Ran ran = runLapidary({"verify", model, file, "--outputs", "both:0,both:1"});
        INFO(ran.err << ran.out);
        CHECK(ran.exitCode == 0);
    }
}

TEST_CASE("the operations of a file for a device are counted as those that run", "[cli]")
{
    const TestFolder folder;
    const std::string file = folder.file("net.onnx");
    REQUIRE(runLapidary({"export", folder.write("net.pbtxt", network), "-o", file}).exitCode == 0);
    const Ran timed = runLapidary({"benchmark", file, "--max-num-runs", "1", "--show-flops"});
    INFO(timed.err);
    CHECK(timed.exitCode == 0);
    CHECK(timed.out.find("FLOPs estimate: ") != std::string::npos);
}

TEST_CASE("export writes nothing where a node is refused, and says what can be exported", "[cli]")
{
    const TestFolder folder;
    const std::string model = folder.write("net.pbtxt", network);
    const std::string file = folder.file("net.tflite");
    const Ran refused = runLapidary({"export", model, "-o", file});
    CHECK(refused.exitCode == 3);
    CHECK(refused.err.find("e (Erf)") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(file));
    const std::string cut = "what can be exported: --inputs x --outputs half --shape x=2,8";
    REQUIRE(refused.err.find(cut) != std::string::npos);
    const Ran part = runLapidary({"export", model, "-o", file, "--inputs", "x", "--outputs", "half",
                                  "--shape", "x=2,8", "--check"});
    INFO(part.err);
    CHECK(part.exitCode == 0);
    CHECK(std::filesystem::exists(file));
}

TEST_CASE("export counts the variables that the outputs need", "[cli]")
{
    const TestFolder folder;
    const auto variable = [](const std::string& name) {
        return "node { name: \"" + name +
               "\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } "
               "attr { key: \"shape\" value { shape { dim { size: 8 } } } } }\n";
    };
    const std::string add = "op: \"Add\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
    const std::string model = folder.write("net.pbtxt", network + variable("w") + variable("step") +
                                                            "node { name: \"z\" input: "
                                                            "\"y\" input: \"w\" " +
                                                            add);
    const Ran ran = runLapidary(
        {"export", model, "-o", folder.file("net.onnx"), "--inputs", "x", "--outputs", "z"});
    CHECK(ran.err.find("1 variable without values") != std::string::npos);
    const Ran less = runLapidary(
        {"export", model, "-o", folder.file("net.onnx"), "--inputs", "x", "--outputs", "y"});
    INFO(less.err);
    CHECK(less.exitCode == 0);
    CHECK(less.err.find("without values") == std::string::npos);
}

TEST_CASE("export takes the values of a SavedModel's variables", "[cli]")
{
    const TestFolder folder;
    const std::filesystem::path models = sourceFolder() / "tests" / "goldens" / "models" / "real";
    for (const char* name : {"half_plus_two_v2", "serving_half_plus_two_tf2"})
        for (const char* ending : {".tflite", ".onnx"}) {
            INFO(name << ending);
            const Ran made = runLapidary({"export", (models / name).string(), "-o",
                                          folder.file(std::string(name) + ending), "--check"});
            INFO(made.err);
            CHECK(made.exitCode == 0);
            CHECK(made.err.find("froze 2 variables") != std::string::npos);
            CHECK(made.err.find("The graphs compute the same.") != std::string::npos);
        }
}

TEST_CASE("export makes an input and an output of a state that a model keeps", "[cli]")
{
    const std::string model = R"(saved_model_schema_version: 1
meta_graphs { meta_info_def { tags: "serve" } graph_def {
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "state" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "before" op: "ReadVariableOp" input: "state"
  attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "sum" op: "AddV2" input: "before" input: "x"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "set" op: "AssignVariableOp" input: "state" input: "sum"
  attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "Neg" input: "sum" input: "^set" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 } } })";
    const TestFolder folder;
    const std::filesystem::path real = sourceFolder() / "tests" / "goldens" / "models" / "real";
    std::filesystem::copy(real / "half_plus_two_v2" / "variables", folder.file("variables"),
                          std::filesystem::copy_options::recursive);
    folder.write("saved_model.pbtxt", model);
    const std::string file = folder.file("net.onnx");
    const Ran made = runLapidary({"export", std::filesystem::path(file).parent_path().string(),
                                  "-o", file, "--inputs", "x", "--outputs", "y", "--check"});
    INFO(made.out << made.err);
    CHECK(made.exitCode == 0);
    CHECK(made.err.find("next run: state becomes set") != std::string::npos);
    CHECK(made.err.find("input state  float [2]") != std::string::npos);
    CHECK(made.err.find("output set  float [2]") != std::string::npos);
    CHECK((made.out + made.err).find("The graphs compute the same.") != std::string::npos);
}

TEST_CASE("export refuses variables that cannot be frozen by their nodes", "[cli]")
{
    const TestFolder folder;
    const std::filesystem::path models = sourceFolder() / "tests" / "goldens" / "models" / "real";
    const std::string model = (models / "half_plus_two_v2").string();
    const std::string file = folder.file("net.onnx");
    // An input that only an omitted part reads.
    const Ran more = runLapidary({"export", model, "-o", file, "--inputs", "x,x2", "--outputs", "y",
                                  "--shape", "x=1,1", "--shape", "x2=1,1"});
    INFO(more.err);
    CHECK(more.exitCode == 0);
    CHECK(more.err.find("the outputs do not need the input x2") != std::string::npos);
    // The shard of the checkpoint is gone.
    const std::filesystem::path broken = folder.file("broken");
    std::filesystem::copy(model, broken, std::filesystem::copy_options::recursive);
    for (const auto& entry : std::filesystem::directory_iterator(broken / "variables"))
        if (entry.path().filename().string().find(".data-") != std::string::npos)
            std::filesystem::remove(entry.path());
    const Ran lost = runLapidary({"export", broken.string(), "-o", file});
    INFO(lost.err);
    CHECK(lost.exitCode == 3);
    CHECK(lost.err.find("freezing") != std::string::npos);
    CHECK(lost.err.find("freeze the model first") == std::string::npos); // the file was tested
    CHECK(lost.err.find("variables.data-00000-of-00001, which is missing") != std::string::npos);
    CHECK(lost.err.find("--inputs") == std::string::npos); // weights are not inputs of a part
    // The whole folder is gone.
    std::filesystem::remove_all(broken / "variables");
    const Ran bare = runLapidary({"export", broken.string(), "-o", file});
    INFO(bare.err);
    CHECK(bare.exitCode == 3);
    CHECK(bare.err.find("in the folder 'variables', which is missing") != std::string::npos);
    const std::size_t reason = bare.err.find("it is a variable");
    REQUIRE(reason != std::string::npos);
    CHECK(bare.err.find("it is a variable", reason + 1) ==
          std::string::npos); // one message for all
}

TEST_CASE("export asks for the value of what steers training, not for its size", "[cli]")
{
    const TestFolder folder;
    const std::string floats = R"( attr { key: "T" value { type: DT_FLOAT } } })";
    const std::string model = folder.write("net.pbtxt", R"(
node { name: "keep" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { unknown_rank: true } } } }
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "size" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } }
    int_val: 2 } } } }
node { name: "r" op: "RandomUniform" input: "size"
  attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "T" value { type: DT_INT32 } } }
node { name: "sum" op: "Add" input: "keep" input: "r")" + floats +
                                                            R"(
node { name: "mask" op: "Floor" input: "sum")" + floats + R"(
node { name: "div" op: "RealDiv" input: "x" input: "keep")" +
                                                            floats + R"(
node { name: "y" op: "Mul" input: "div" input: "mask")" + floats);
    const Ran asked = runLapidary(
        {"export", model, "-o", folder.file("net.tflite"), "--inputs", "x,keep", "--outputs", "y"});
    INFO(asked.err);
    CHECK(asked.exitCode == 3);
    CHECK(asked.err.find("how much a dropout keeps: set it to a constant, as with --set "
                         "keep=1\n") != std::string::npos);
    CHECK(runLapidary({"export", model, "-o", folder.file("net.tflite"), "--inputs", "x",
                       "--outputs", "y", "--set", "keep=1"})
              .exitCode == 0);
    const Ran likely = runLapidary({"export", model, "-o", folder.file("likely.tflite")});
    INFO(likely.err);
    CHECK(likely.exitCode == 0);
    CHECK(likely.err.find("keep is set to 1: it is how much a dropout keeps; --set keep=VALUE sets "
                          "another\n") != std::string::npos);
    const Ran chosen =
        runLapidary({"export", model, "-o", folder.file("chosen.tflite"), "--set", "keep=0.5"});
    CHECK(chosen.exitCode == 0);
    CHECK(chosen.err.find("is set to") == std::string::npos);
}

TEST_CASE("export says how a switch of training is settled", "[cli]")
{
    const TestFolder folder;
    const std::string model = folder.write("net.pbtxt", R"(
node { name: "training" op: "Placeholder" attr { key: "dtype" value { type: DT_BOOL } } }
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "n" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Select" input: "training" input: "x" input: "n"
  attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)");
    const std::string file = folder.file("net.onnx");
    const Ran asked = runLapidary({"export", model, "-o", file});
    CHECK(asked.exitCode == 3);
    CHECK(asked.err.find("--set training=false") != std::string::npos);
    const Ran set = runLapidary({"export", model, "-o", file, "--set", "training=false"});
    INFO(set.err);
    CHECK(set.exitCode == 0);
}

TEST_CASE("export cuts a custom op off, which TensorFlow does not know", "[cli]")
{
    const TestFolder folder;
    std::string text = network;
    text.replace(text.find("\"Erf\""), 5, "\"Mine\"");
    const std::string model = folder.write("net.pbtxt", text);
    const Ran refused = runLapidary({"export", model, "-o", folder.file("net.onnx")});
    CHECK(refused.exitCode == 3);
    CHECK(refused.err.find("e (Mine)") != std::string::npos);
    CHECK(refused.err.find("what can be exported: --inputs x --outputs half") != std::string::npos);
}

} // namespace lapidary
