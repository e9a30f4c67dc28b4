// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_lists.h"
#include "graph_model/read/bound_inputs.h"
#include "tests/catch.h"
#include "tests/made_graph.h"

namespace lapidary {

TEST_CASE("the calls of a graph tell the nodes of variables that share a name", "[saved_model]")
{
    const Attrs call{{"f", attr::fromFunctionName("wrapper")}};
    const GraphPtr graph = make(
        {node("x", "Placeholder"), node("w", "VarHandleOp"), node("w_1", "VarHandleOp"),
         node("c", "Const"), node("y", "StatefulPartitionedCall", {"x", "w_1", "w", "c"}, call),
         node("z", "StatefulPartitionedCall", {"^x"}, call)}); // has too few inputs
    BoundInputs bound;
    bound.values = {{.node = "w", .name = "w", .isVariable = true},
                    {.node = "w", .name = "w", .isVariable = true},
                    {.node = "constant"}};
    bound.objects["wrapper"] = {0, 1, 2};
    nameNodes(bound, *graph);
    CHECK(bound.values[0].node == "w_1");
    CHECK(bound.values[1].node == "w");
    CHECK(bound.values[2].node == "constant"); // not a variable
    CHECK(bound.values[0].name == "w");
    bound.objects["wrapper"] = {0, 1, 7}; // no such object
    nameNodes(bound, *graph);
    CHECK(bound.values[0].node == "w_1");
}

} // namespace lapidary
