// SPDX-License-Identifier: Apache-2.0
#include "graph_model/explore/served_network.h"
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

using namespace lapidary;

namespace {

// A layer that multiplies, in a network that is called by the function of a signature.
constexpr std::string_view file = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "w" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "path" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
node { name: "StatefulPartitionedCall" op: "StatefulPartitionedCall" input: "x" input: "w"
       attr { key: "f" value { func { name: "__inference_signature_7" } } } }
node { name: "StatefulPartitionedCall_1" op: "StatefulPartitionedCall" input: "path"
       attr { key: "f" value { func { name: "__inference_signature_7" } } } }
library {
  function {
    signature { name: "__inference_signature_7"
      input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" type: DT_RESOURCE }
      output_arg { name: "identity" type: DT_FLOAT } output_arg { name: "same" type: DT_FLOAT } }
    node_def { name: "inner" op: "StatefulPartitionedCall" input: "a" input: "b"
      attr { key: "f" value { func { name: "__inference_network_3" } } } }
    node_def { name: "Identity" op: "Identity" input: "inner:output:0" input: "^inner"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "identity" value: "Identity:output:0" }
    ret { key: "same" value: "a" }
  }
  function {
    signature { name: "__inference_network_3"
      input_arg { name: "data" type: DT_FLOAT } input_arg { name: "kernel" type: DT_RESOURCE }
      output_arg { name: "result" type: DT_FLOAT } }
    node_def { name: "dense/StatefulPartitionedCall" op: "StatefulPartitionedCall"
      input: "data" input: "kernel"
      attr { key: "f" value { func { name: "__inference_dense_layer_call_fn_1" } } } }
    node_def { name: "x" op: "Relu" input: "dense/StatefulPartitionedCall:output:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "unused" op: "Neg" input: "x:activations:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "result" value: "x:activations:0" }
  }
  function {
    signature { name: "__inference_dense_layer_call_fn_1"
      input_arg { name: "inputs" type: DT_FLOAT } input_arg { name: "kernel" type: DT_RESOURCE }
      output_arg { name: "out" type: DT_FLOAT } }
    node_def { name: "read" op: "ReadVariableOp" input: "kernel"
      attr { key: "dtype" value { type: DT_FLOAT } } }
    node_def { name: "MatMul" op: "MatMul" input: "inputs" input: "read:value:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "out" value: "MatMul:product:0" }
  }
})";

GraphEntry entryOf(std::string_view text)
{
    auto model = readModelBytes(std::string(text), "model.pbtxt", Job());
    REQUIRE(model);
    REQUIRE(model->graphs.size() == 1);
    GraphEntry entry = model->graphs.front();
    Shape shape;
    shape.unknownRank = true;
    entry.signatures = {
        {"__saved_model_init_op", "", {}, {{"init", "path:0", DType::Float, shape}}},
        {"serving_default",
         "tensorflow/serving/predict",
         {{"in", "x:0", DType::Float, shape}},
         {{"scores", "StatefulPartitionedCall:0", DType::Float, shape},
          {"echo", "StatefulPartitionedCall:1", DType::Float, shape}}}};
    return entry;
}

} // namespace

TEST_CASE("The network of a signature is what its calls compute", "[explore]")
{
    const auto network = servedNetwork(entryOf(file));
    REQUIRE(network);
    CHECK(network->title == "serving_default");
    const Graph& graph = *network->graph;
    CHECK(graph.size() == 7);
    // Wrappers add no scope, and a layer's call is its scope. The argument is the caller's
    // variable.
    const NodeId product = graph.find("dense/MatMul");
    REQUIRE(product.isValid());
    CHECK(graph.inputs(product)[0] == Endpoint{graph.find("x"), 0});
    CHECK(graph.inputs(product)[1] == Endpoint{graph.find("dense/read"), 0});
    CHECK(graph.inputs(graph.find("dense/read"))[0] == Endpoint{graph.find("w"), 0});
    // The caller's own names are not used again.
    const NodeId activation = graph.find("x_1");
    REQUIRE(activation.isValid());
    CHECK(graph.node(activation).op() == "Relu");
    CHECK(graph.inputs(graph.find("scores"))[0] == Endpoint{activation, 0});
    CHECK(graph.inputs(graph.find("echo"))[0] == Endpoint{graph.find("x"), 0});
    CHECK_FALSE(graph.find("unused").isValid());
    CHECK_FALSE(graph.find("path").isValid());
}

TEST_CASE("The interface of an inlined network is its signature's", "[explore]")
{
    const auto network = servedNetwork(entryOf(file));
    REQUIRE(network);
    const InterfaceChoice choice = likelyChoice(*network->graph, guessInterface(*network));
    REQUIRE(choice.inputs.size() == 1);
    CHECK(choice.inputs[0].tensor == "x:0");
    REQUIRE(choice.outputs.size() == 2);
    CHECK(choice.outputs[0].tensor == "scores:0");
    CHECK(choice.outputs[1].tensor == "echo:0");
}

TEST_CASE("A graph that computes its outputs itself is its own network", "[explore]")
{
    GraphEntry entry;
    entry.graph = graph("x = Placeholder()\ny = Relu(x)");
    Shape shape;
    entry.signatures = {{"serving_default",
                         "",
                         {{"in", "x:0", DType::Float, shape}},
                         {{"out", "y:0", DType::Float, shape}}}};
    CHECK_FALSE(servedNetwork(entry));
    // Without a signature, it is unknown which call is the network's.
    GraphEntry calls = entryOf(file);
    calls.signatures.clear();
    CHECK_FALSE(servedNetwork(calls));
}

TEST_CASE("A graph that is nothing but a call is opened without a signature", "[explore]")
{
    const auto model = readModelBytes(std::string(R"(
node { name: "MyFunc" op: "MyFunc" }
library { function {
  signature { name: "MyFunc" output_arg { name: "sum" type: DT_FLOAT } }
  node_def { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } }
  node_def { name: "add" op: "Add" input: "c:output:0" input: "c:output:0"
             attr { key: "T" value { type: DT_FLOAT } } }
  ret { key: "sum" value: "add:z:0" }
} })"),
                                      "model.pbtxt", Job());
    REQUIRE(model);
    const auto network = servedNetwork(model->graphs.front());
    REQUIRE(network);
    CHECK(network->title == "MyFunc");
    CHECK(network->graph->find("add").isValid());
    CHECK(network->graph->node(network->graph->find("sum")).op() == "Identity");
    CHECK(network->signatures.front().outputs.front().tensor == "sum:0");
}

TEST_CASE("A network that nothing calls is opened where the graph only saves", "[explore]")
{
    const auto model = readModelBytes(std::string(R"(
node { name: "file" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
node { name: "StatefulPartitionedCall" op: "StatefulPartitionedCall" input: "file"
       attr { key: "f" value { func { name: "__inference__traced_save_9" } } } }
library {
 function {
  signature { name: "__inference__traced_save_9" input_arg { name: "file" type: DT_STRING }
              output_arg { name: "done" type: DT_STRING } }
  node_def { name: "same" op: "Identity" input: "file"
             attr { key: "T" value { type: DT_STRING } } }
  ret { key: "done" value: "same:output:0" } }
 function {
  signature { name: "__inference_pruned_7" input_arg { name: "image" type: DT_FLOAT }
              input_arg { name: "kernel" type: DT_RESOURCE }
              output_arg { name: "result" type: DT_FLOAT } }
  node_def { name: "conv/read" op: "ReadVariableOp" input: "kernel"
             attr { key: "dtype" value { type: DT_FLOAT } } }
  node_def { name: "conv/MatMul" op: "MatMul" input: "image" input: "conv/read:value:0"
             attr { key: "T" value { type: DT_FLOAT } } }
  ret { key: "result" value: "conv/MatMul:product:0" } }
})"),
                                      "model.pbtxt", Job());
    REQUIRE(model);
    const auto network = servedNetwork(model->graphs.front());
    REQUIRE(network);
    CHECK(network->title == "pruned");
    const Graph& g = *network->graph;
    CHECK(g.node(g.find("image")).op() == "Placeholder");
    CHECK(g.node(g.find("kernel")).op() == "VarHandleOp");
    CHECK(g.inputs(g.find("conv/MatMul"))[0].node == g.find("image"));
    REQUIRE(network->signatures.size() == 1);
    REQUIRE(network->signatures.front().inputs.size() == 1);
    CHECK(network->signatures.front().inputs.front().tensor == "image:0");
    CHECK(network->signatures.front().outputs.front().tensor == "result:0");
}

TEST_CASE("The inputs with which an uncalled network was traced are not inputs of it", "[explore]")
{
    const auto model = readModelBytes(std::string(R"(saved_model_schema_version: 1
meta_graphs {
 meta_info_def { tags: "serve" }
 graph_def {
  node { name: "file" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
  node { name: "layer/scale" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } } }
  node { name: "Const" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
         attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 2
           tensor_shape { dim { size: 4 } dim { size: 4 } } } } } }
  library { function {
   signature { name: "__inference_pruned_7" input_arg { name: "image" type: DT_FLOAT }
               input_arg { name: "kernel" type: DT_FLOAT }
               input_arg { name: "scale" type: DT_RESOURCE }
               input_arg { name: "offset" type: DT_RESOURCE }
               output_arg { name: "result" type: DT_FLOAT } }
   node_def { name: "product" op: "MatMul" input: "image" input: "kernel"
              attr { key: "T" value { type: DT_FLOAT } } }
   node_def { name: "read" op: "ReadVariableOp" input: "scale"
              attr { key: "dtype" value { type: DT_FLOAT } } }
   node_def { name: "read_1" op: "ReadVariableOp" input: "offset"
              attr { key: "dtype" value { type: DT_FLOAT } } }
   node_def { name: "scaled" op: "Mul" input: "product:product:0" input: "read:value:0"
              attr { key: "T" value { type: DT_FLOAT } } }
   node_def { name: "moved" op: "AddV2" input: "scaled:z:0" input: "read_1:value:0"
              attr { key: "T" value { type: DT_FLOAT } } }
   ret { key: "result" value: "moved:z:0" }
   arg_attr { key: 0 value { attr { key: "_output_shapes" value { list {
     shape { dim { size: 1 } dim { size: 4 } } } } } } }
  } } }
 object_graph_def {
  nodes { }
  nodes { constant { operation: "Const" } }
  nodes { variable { dtype: DT_FLOAT shape { dim { size: 4 } } name: "layer/scale" } }
  nodes { variable { dtype: DT_FLOAT shape { dim { size: 3 } } name: "layer/offset" } }
  concrete_functions { key: "__inference_pruned_7"
                       value { bound_inputs: 1 bound_inputs: 2 bound_inputs: 3 } }
 }
})"),
                                      "saved_model.pbtxt", Job());
    REQUIRE(model);
    REQUIRE(model->graphs.size() == 1);
    const auto network = servedNetwork(model->graphs.front());
    REQUIRE(network);
    const Graph& g = *network->graph;
    REQUIRE(network->signatures.front().inputs.size() == 1);
    CHECK(network->signatures.front().inputs.front().tensor == "image:0");
    CHECK(network->signatures.front().inputs.front().shape == Shape{{1, 4}});
    CHECK(g.node(g.find("image")).attr("shape").asShape() == Shape{{1, 4}});
    CHECK(g.node(g.find("kernel")).op() == "Const");
    CHECK(g.node(g.find("kernel")).attr("value").text() == "float 4×4");
    CHECK(g.node(g.find("layer/scale")).op() == "VarHandleOp");
    CHECK(g.node(g.find("layer/offset")).op() == "VarHandleOp"); // not in the graph
    CHECK(g.node(g.find("layer/offset")).attr("shape").asShape() == Shape{{3}});
    CHECK(g.inputs(g.find("product"))[1].node == g.find("kernel"));
    CHECK(network->bound.values[2].node == "layer/scale"); // for the values of a checkpoint
    // References to objects that are not in the file are ignored.
    GraphEntry damaged = model->graphs.front();
    damaged.bound.values.resize(2);
    CHECK(servedNetwork(damaged)->signatures.front().inputs.size() == 1);
    damaged.bound.values.clear();
    CHECK(servedNetwork(damaged)->signatures.front().inputs.size() == 2);
}

TEST_CASE("A function that calls itself is inlined a limited number of times", "[explore]")
{
    const auto network = servedNetwork(entryOf(R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "StatefulPartitionedCall" op: "StatefulPartitionedCall" input: "x"
       attr { key: "f" value { func { name: "again" } } } }
library { function {
  signature { name: "again" input_arg { name: "a" type: DT_FLOAT }
              output_arg { name: "r" type: DT_FLOAT } }
  node_def { name: "y" op: "Neg" input: "a" attr { key: "T" value { type: DT_FLOAT } } }
  node_def { name: "call" op: "PartitionedCall" input: "y:y:0"
    attr { key: "f" value { func { name: "again" } } } }
  ret { key: "r" value: "call:output:0" } } })"));
    REQUIRE(network);
    CHECK(network->graph->size() > 10);
    CHECK(network->graph->size() < 100);
}

TEST_CASE("Functions that only call each other end soon", "[explore]")
{
    const auto functionOf = [](const std::string& name, const std::string& body,
                               const std::string& result) {
        return "function { signature { name: \"" + name +
               "\" input_arg { name: \"a\" type: DT_FLOAT }"
               " output_arg { name: \"r\" type: DT_FLOAT } } " +
               body + " ret { key: \"r\" value: \"" + result + "\" } }\n";
    };
    const auto callOf = [](const std::string& node, const std::string& function,
                           const std::string& input) {
        return "node_def { name: \"" + node + "\" op: \"" + function + "\" input: \"" + input +
               "\" }";
    };
    const auto levels = [&](int count, bool isTwice) {
        std::string functions = functionOf("f" + std::to_string(count), "", "a");
        for (int i = 0; i < count; ++i) {
            const std::string called = "f" + std::to_string(i + 1);
            functions +=
                functionOf("f" + std::to_string(i),
                           callOf("c", called, "a") + (isTwice ? callOf("d", called, "c:r:0") : ""),
                           isTwice ? "d:r:0" : "c:r:0");
        }
        return "library { " + functions + "}";
    };
    SECTION("each twice, and no node is ever copied")
    {
        const auto network = servedNetwork(entryOf(R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "StatefulPartitionedCall" op: "StatefulPartitionedCall" input: "x"
       attr { key: "f" value { func { name: "f0" } } } })" +
                                                   levels(30, true)));
        REQUIRE(network);
        CHECK(network->graph->size() < 10'000'000);
    }
    SECTION("in a chain that is longer than any stack")
    {
        auto model = readModelBytes("node { name: \"y\" op: \"NoOp\" }" + levels(60'000, false),
                                    "model.pbtxt", Job());
        REQUIRE(model);
        CHECK_FALSE(servedNetwork(model->graphs.front()));
    }
}
