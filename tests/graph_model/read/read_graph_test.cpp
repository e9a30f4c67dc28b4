// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/function.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/graph_model/read/read_bytes.h"

using namespace lapidary;

namespace {

const char* const smallText = R"(# a comment
node { name: "a" op: "NoOp" }
node <
  name: 'b' op: "Iden" "tity" input: ["a", "^a"]; device: "/cpu:0",
  attr { key: "T" value { type: DT_FLOAT } }
>
versions { producer: 27 bad_consumers: [1, 0x10] }
)";

} // namespace

TEST_CASE("a text graph is read", "[read]")
{
    const ModelFile file = readBytes(smallText);
    CHECK(file.format == FileFormat::GraphDefText);
    CHECK(file.problems.empty());
    REQUIRE(file.graphs.size() == 1);
    const Graph& graph = *file.graphs[0].graph;
    REQUIRE(graph.size() == 2);
    const Node& node = graph.node(NodeId{1});
    CHECK(node.name() == "b");
    CHECK(node.op() == "Identity");
    CHECK(node.device() == "/cpu:0");
    CHECK(node.attr("T").asType() == DType::Float);
    CHECK(graph.inputs(NodeId{1})[0] == Endpoint{NodeId{0}, 0});
    CHECK(graph.inputs(NodeId{1})[1] == Endpoint{NodeId{0}, -1});
    CHECK(graph.versions().producer == 27);
    CHECK(graph.versions().badConsumers == std::vector<std::int32_t>{1, 16});
}

TEST_CASE("a damaged node is left out and the rest is shown", "[read]")
{
    // The op of the middle node claims five bytes, its node has two left.
    const ModelFile file = readBytes(std::string("\x0a\x09\x0a\x01"
                                                 "a\x12\x04NoOp"
                                                 "\x0a\x07\x0a\x01"
                                                 "b\x12\x05No"
                                                 "\x0a\x09\x0a\x01"
                                                 "c\x12\x04NoOp"));
    REQUIRE(file.graphs.size() == 1);
    CHECK(file.graphs[0].graph->size() == 2);
    REQUIRE(file.graphs[0].problems.size() == 1);
    const Problem& problem = file.graphs[0].problems[0];
    CHECK(problem.kind == "overlong_length");
    CHECK(problem.node == "b");
    CHECK(problem.offset == 17);
}

TEST_CASE("functions become graphs of their own", "[read]")
{
    const ModelFile file = readBytes(R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "call" op: "F" input: "x" }
library { function {
  signature { name: "F" input_arg { name: "p" type: DT_FLOAT } output_arg { name: "q" type: DT_FLOAT } }
  node_def { name: "inner" op: "Twice" input: "p" }
  ret { key: "q" value: "inner:second:0" } }
  function {
  signature { name: "Twice" input_arg { name: "i" type: DT_FLOAT }
    output_arg { name: "first" type: DT_FLOAT } output_arg { name: "second" type: DT_FLOAT } }
  ret { key: "first" value: "i" } ret { key: "second" value: "i" } } }
)");
    REQUIRE(file.graphs.size() == 1);
    const Graph& graph = *file.graphs[0].graph;
    REQUIRE(graph.functions() != nullptr);
    const FunctionPtr function = graph.functions()->find("F");
    REQUIRE(function != nullptr);
    CHECK(calledFunctions(graph, graph.node(NodeId{1}), *graph.functions()) ==
          std::vector<FunctionPtr>{function});
    const Graph& body = *function->body;
    REQUIRE(body.size() == 3);
    CHECK(body.node(NodeId{0}).op() == "_Arg");
    CHECK(body.node(NodeId{0}).isSynthetic());
    CHECK(body.node(NodeId{2}).op() == "_Retval");
    CHECK(body.inputs(NodeId{1})[0] == Endpoint{NodeId{0}, 0});
    CHECK(body.inputs(NodeId{2})[0] == Endpoint{NodeId{1}, 1});
}

TEST_CASE("outputs of registered ops are counted through in function bodies", "[read]")
{
    const ModelFile file = readBytes(R"(
library { function {
  signature { name: "F" input_arg { name: "p" type: DT_FLOAT } output_arg { name: "q" type: DT_INT32 } }
  node_def { name: "top" op: "TopKV2" input: "p" input: "p" attr { key: "T" value { type: DT_FLOAT } } }
  node_def { name: "cut" op: "SplitV" input: "top:indices" input: "p" input: "p"
    attr { key: "num_split" value { i: 3 } } }
  ret { key: "q" value: "cut:output:2" } } }
)");
    REQUIRE(file.graphs.size() == 1);
    const FunctionLibrary* library = file.graphs[0].graph->functions();
    REQUIRE(library != nullptr);
    const Graph& body = *library->functions[0]->body;
    REQUIRE(body.size() == 4);
    CHECK(body.inputs(NodeId{2})[0] == Endpoint{NodeId{1}, 1});
    CHECK(body.inputs(NodeId{3})[0] == Endpoint{NodeId{2}, 2});
}
