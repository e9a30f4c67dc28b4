// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/pass/edit_chain.h"

namespace lapidary {

TEST_CASE("two edits in a row tell where each node came from and went", "[edit_chain]")
{
    const GraphPtr base =
        graph("x = Placeholder()\na = Identity(x)\nb = Identity(a)\ny = Relu(b)\n");
    EditChain chain(base);
    GraphEdit first(base);
    first.bypass(NodeId{1}, "passes on");
    REQUIRE(chain.apply(std::move(first).finish()).ok());
    GraphEdit second(chain.graph());
    second.bypass(NodeId{1}, "passes on too");
    REQUIRE(chain.apply(std::move(second).finish()).ok());
    const EditResult result = std::move(chain).finish();
    CHECK(printGraph(*result.graph) == printGraph(*graph("x = Placeholder()\ny = Relu(x)\n")));
    CHECK(result.lineage.origins[1] == std::vector<NodeId>{NodeId{3}});
    CHECK(result.lineage.removed.at(NodeId{1}).reason == "passes on");
    CHECK(result.lineage.removed.at(NodeId{2}).reason == "passes on too");
    CHECK(result.lineage.removed.at(NodeId{2}).successors == std::vector<NodeId>{NodeId{0}});
    CHECK(result.lineage.successor[3] == NodeId{1});
}

TEST_CASE("edits that change nothing leave the very graph", "[edit_chain]")
{
    const GraphPtr base = graph("x = Placeholder()\n");
    EditChain chain(base);
    REQUIRE(chain.apply(GraphEdit(base).finish()).ok());
    CHECK(std::move(chain).finish().graph == base);
}

} // namespace lapidary
