// SPDX-License-Identifier: Apache-2.0
// --signature of transform.
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

#include <nlohmann/json.hpp>

namespace lapidary {

TEST_CASE("transform keeps what a signature names", "[cli]")
{
    const std::string model = sourceFolder() / "tests/goldens/models/real/half_plus_two";
    const TestFolder folder;
    const std::string out = folder.file("out.pb");
    const Ran ran = runLapidary({"transform", model, "--preset", "mobile-fp32", "--signature",
                                 "regress_x2_to_y3", "-o", out});
    INFO(ran.err);
    REQUIRE(ran.exitCode == 0);
    const Ran summary = runLapidary({"summarize", out});
    CHECK(summary.out.find("1 possible input: (name=x2,") != std::string::npos);
    CHECK(summary.out.find("1 possible output: (name=y3,") != std::string::npos);
    const Ran unknown = runLapidary(
        {"transform", model, "--preset", "mobile-fp32", "--signature", "nosuch", "-o", out});
    CHECK(unknown.exitCode == 3);
    CHECK(unknown.err.find("no signature nosuch; there is classify_x2_to_y3") != std::string::npos);
}

TEST_CASE("the function that computes most stands for a file without a signature", "[cli]")
{
    const TestFolder folder;
    folder.write("saved_model.pbtxt", R"(saved_model_schema_version: 1
meta_graphs {
 meta_info_def { tags: "serve" }
 graph_def {
  node { name: "file" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
  node { name: "kernel" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
         attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 2
           tensor_shape { dim { size: 3 } dim { size: 4 } } } } } }
  library { function {
   signature { name: "__inference_step_7" input_arg { name: "row" type: DT_FLOAT }
               input_arg { name: "weights" type: DT_FLOAT }
               output_arg { name: "scores" type: DT_FLOAT } }
   node_def { name: "product" op: "MatMul" input: "row" input: "weights"
              attr { key: "T" value { type: DT_FLOAT } } }
   ret { key: "scores" value: "product:product:0" }
   arg_attr { key: 0 value { attr { key: "_output_shapes" value { list {
     shape { dim { size: 1 } dim { size: 3 } } } } } } }
  } }
  versions { producer: 1286 }
 }
 object_graph_def {
  nodes { constant { operation: "kernel" } }
  concrete_functions { key: "__inference_step_7" value { bound_inputs: 0 } }
 }
})");
    const std::string model = folder.path().string();
    const std::string said = "its graph calls no function; step, the function that computes most, "
                             "is taken";
    const Ran interface = runLapidary({"interface", model, "--json"});
    INFO(interface.err);
    CHECK(interface.exitCode == 0);
    CHECK(interface.err.find(said) != std::string::npos);
    const auto document = nlohmann::json::parse(interface.out);
    CHECK(document["inputs"][0]["name"] == "row:0");
    CHECK(document["outputs"][0]["name"] == "scores:0");
    const Ran run = runLapidary({"run", model, "--feed", "row=value:1"});
    INFO(run.err);
    CHECK(run.exitCode == 0);
    CHECK(run.out.find("6 6 6 6") != std::string::npos);
    CHECK(runLapidary({"export", model, "-o", folder.file("net.tflite")}).exitCode == 0);
    CHECK(runLapidary({"check", model}).err.find(said) == std::string::npos); // of the file
}

} // namespace lapidary
