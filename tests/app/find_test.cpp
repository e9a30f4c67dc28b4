// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

const std::string net = R"(node { name: "x" op: "Placeholder" }
node { name: "w" op: "Const" }
node { name: "conv" op: "Conv2D" input: "x" input: "w" }
node { name: "bias" op: "BiasAdd" input: "conv" input: "w" }
node { name: "relu" op: "Relu6" input: "bias" }
library { function { signature { name: "f" input_arg { name: "a" type: DT_FLOAT }
    output_arg { name: "b" type: DT_FLOAT } }
  node_def { name: "conv" op: "Conv2D" input: "a" input: "a" }
  node_def { name: "bias" op: "BiasAdd" input: "conv:output:0" input: "a" }
  node_def { name: "relu" op: "Relu" input: "bias:output:0" }
  ret { key: "b" value: "relu:activations:0" } } }
)";

} // namespace

TEST_CASE("find lists chains of the graph and of its functions", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", net);
    const std::string motif = "Conv2D -> BiasAdd -> Relu*";
    const Ran found = runLapidary({"find", graph, motif, "--json"});
    CHECK(found.exitCode == 0);
    CHECK(found.json()["matches"] ==
          nlohmann::json({{"conv", "bias", "relu"}, {"f/conv", "f/bias", "f/relu"}}));
    CHECK(found.json()["complete"] == true);
    CHECK(runLapidary({"find", graph, motif}).out ==
          "conv -> bias -> relu\nf/conv -> f/bias -> f/relu\n");
    const Ran some = runLapidary({"find", graph, motif, "--json", "--limit", "1"});
    CHECK(some.json()["matches"].size() == 1);
    CHECK(some.json()["complete"] == false);
}

TEST_CASE("find says what is wrong with a motif, and what was probably meant", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", net);
    const Ran wrong = runLapidary({"find", graph, "Conv2D -> -> Relu"});
    CHECK(wrong.exitCode == 2);
    CHECK(wrong.err.find("motif, line 1, column 11: expected the name of an op") !=
          std::string::npos);
    const Ran none = runLapidary({"find", graph, "Conv2d", "--json"});
    CHECK(none.exitCode == 0);
    CHECK(none.json()["matches"].empty());
    CHECK(none.err.find("did you mean Conv2D?") != std::string::npos);
    CHECK(runLapidary({"find", graph}).exitCode == 2);
    CHECK(runLapidary({"find", folder.file("none.pb"), "Relu"}).exitCode == 3);
}

TEST_CASE("verify says which ops have no kernel", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write(
        "odd.pbtxt", "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: "
                     "DT_FLOAT } } }\nnode { name: \"y\" op: \"NoSuchOpAtAll\" input: \"x\" }\n");
    const Ran ran =
        runLapidary({"verify", graph, graph, "--inputs", "x", "--outputs", "y", "--json"});
    CHECK(ran.exitCode == 3);
    CHECK(ran.json()["same"] == false);
    REQUIRE(ran.json()["missing_kernels"].size() == 1);
    CHECK(ran.json()["missing_kernels"][0]["op"] == "NoSuchOpAtAll");
    CHECK(ran.json()["missing_kernels"][0]["nodes"] == nlohmann::json({"y"}));
    CHECK(ran.err.find("no kernel for NoSuchOpAtAll (y)") != std::string::npos);
}

TEST_CASE("transform prints compressed sizes and the reference of its passes", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("net.pbtxt", net);
    const Ran ran = runLapidary({"transform", "--stats=gzip", graph, "--transforms",
                                 "remove_device set_device(device=\"/cpu:0\")", "--json"});
    CHECK(ran.exitCode == 0);
    const auto json = ran.json();
    CHECK(json["before"]["gzip_bytes"] == json["steps"][0]["gzip_bytes"]);
    CHECK(json["steps"][1]["bytes"] > json["before"]["bytes"]);
    CHECK(json["op_bytes"]["Conv2D"]["after"] > json["op_bytes"]["Conv2D"]["before"]);
    const Ran plain =
        runLapidary({"transform", "--stats", graph, "--transforms", "remove_device", "--json"});
    CHECK_FALSE(plain.json()["before"].contains("gzip_bytes"));
    CHECK(runLapidary({"transform", "--stats=zip", graph, "--transforms", "remove_device"})
              .exitCode == 2);
    CHECK(runLapidary({"transform", "--reference"}).out.find("## quantize_nodes") !=
          std::string::npos);
    CHECK(runLapidary({"transform", "--describe", "clean"}).out.find("`max_rounds`") !=
          std::string::npos);
}

} // namespace lapidary
