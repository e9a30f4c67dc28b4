// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

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

} // namespace lapidary
