// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/made_graph.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

#include <algorithm>

namespace lapidary {

namespace {

bool isRead(const GraphPtr& graph, std::string_view input)
{
    return std::ranges::any_of(graph->nodes(), [&](const NodePtr& node) {
        return std::ranges::count(node->inputs(), input, &Input::text) > 0;
    });
}

} // namespace

TEST_CASE("a TensorArray of version 3 becomes one of version 2", "[passes]")
{
    const GraphPtr before = graph("size_node = Const()\n"
                                  "tensor_array_node = TensorArrayV3(size_node)\n"
                                  "handle_output_node = Identity(tensor_array_node:0)\n"
                                  "flow_output_node = Identity(tensor_array_node:1)\n"
                                  "tensor_array_grad_node = "
                                  "TensorArrayGradV3(tensor_array_node:0, tensor_array_node:1)\n"
                                  "grad_handle_output_node = Identity(tensor_array_grad_node:0)\n"
                                  "grad_flow_output_node = Identity(tensor_array_grad_node:1)\n");
    const GraphPtr after = passed("backport_tensor_array_v3", before, {},
                                  {"handle_output_node", "grad_handle_output_node"});
    CHECK(opOf(after, "tensor_array_node") == "TensorArrayV2");
    CHECK(opOf(after, "tensor_array_grad_node") == "TensorArrayGradV2");
    CHECK_FALSE(isRead(after, "tensor_array_node:1"));
    CHECK_FALSE(isRead(after, "tensor_array_grad_node:1"));
}

TEST_CASE("handles of version 2 go through a loop as strings", "[passes]")
{
    const Attrs resource{{"T", attr::fromType(DType::Resource)}};
    const GraphPtr before =
        make({node("size", "Const"), node("array", "TensorArrayV3", {"size"}),
              node("handle", "Enter", {"array"}, resource),
              node("flow", "Enter", {"array:1"}, {{"T", attr::fromType(DType::Float)}}),
              node("variable", "VarHandleOp"), node("other", "Enter", {"variable"}, resource),
              node("copy", "Identity", {"handle"}, resource),
              node("read", "TensorArrayReadV3", {"copy", "size", "flow"})});
    const GraphPtr after = passed("backport_tensor_array_v3", before, {}, {"read"});
    const auto typeOf = [&](std::string_view name) {
        return after->node(after->find(name)).attr("T").asType();
    };
    CHECK(typeOf("handle") == DType::String);
    CHECK(typeOf("copy") == DType::String);
    CHECK(typeOf("flow") == DType::Float);
    CHECK(typeOf("other") == DType::Resource);
}

TEST_CASE("every op on TensorArrays of version 3 has one of version 2", "[passes]")
{
    for (const char* what :
         {"Write", "Read", "Gather", "Scatter", "Concat", "Split", "Size", "Close"}) {
        const std::string op = "TensorArray" + std::string(what);
        const GraphPtr after =
            passed("backport_tensor_array_v3", graph("v3_node = " + op + "V3()\n"), {}, {});
        CHECK(opOf(after, "v3_node") == op + "V2");
    }
}

namespace {

PatternCases backportTensorArrayV3Patterns(const TestFolder&)
{
    const TestAttrs floats{{"dtype", attr::fromType(DType::Float)}};
    const GraphPtr array =
        imageInput()
            .ints("size", {}, {1})
            .ints("index", {}, {0})
            .node("array", "TensorArrayV3", {"size"}, floats)
            .node("put", "TensorArrayWriteV3", {"array", "index", "x", "array:1"})
            .node("got", "TensorArrayReadV3", {"array", "index", "put"}, floats)
            .node("y", "Relu", {"got"})
            .build();
    return {{"backport_tensor_array_v3",
             array,
             {"size", "index", "array", "put", "got"},
             {{"no array", reluOnly()}}}};
}

const CasesOf backportTensorArrayV3Cases("backport_tensor_array_v3",
                                         {.patterns = backportTensorArrayV3Patterns});

} // namespace

} // namespace lapidary
