// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

namespace lapidary {

TEST_CASE("edges are bundled at the lowest common scope, and lead outside below it", "[scopes]")
{
    const PreparationPtr made = prepare(graph(R"(x = Placeholder()
                                                 a/p = Relu(x)
                                                 a/q = Add(a/p, x)
                                                 b/r = Add(a/p, a/q, ^a/q)
                                                 b/s = Relu(b/r))"));
    const PreparedScope root = made->scope(rootGroup);
    REQUIRE(root.items.size() == 3);
    REQUIRE(root.edges.size() == 3);
    CHECK(root.edges[0].edges == std::vector<GraphEdge>{{NodeId{1}, 0}, {NodeId{2}, 1}});
    CHECK(root.edges[1].edges == std::vector<GraphEdge>{{NodeId{3}, 0}, {NodeId{3}, 1}});
    CHECK(root.edges[2].kind == EdgeKind::Control);
    const PreparedScope b = made->scope(made->tree().find("b"));
    REQUIRE(b.edges.size() == 3);
    CHECK(b.edges[0].from == PreparedEdge::outside);
    CHECK(b.edges[0].to == 0);
    CHECK(b.edges[0].edges.size() == 2);
    CHECK(b.edges[2].from == 0);
    CHECK(b.edges[2].to == 1);
    checkEdges(*made);
}

TEST_CASE("the back edge of a loop is one", "[scopes]")
{
    const PreparationPtr made = prepare(graph(R"(x = Enter()
                                                 m = Merge(x, n)
                                                 i = Add(m, m)
                                                 n = NextIteration(i))"));
    int back = 0;
    for (const PreparedEdge& edge : made->scope(rootGroup).edges)
        if (edge.isBack) {
            ++back;
            CHECK(edge.edges == std::vector<GraphEdge>{{NodeId{1}, 1}});
        }
    CHECK(back == 1);
}

TEST_CASE("an op that changes a variable holds it by reference", "[scopes]")
{
    const PreparationPtr made = prepare(graph(R"(v = VariableV2()
                                                 x = Placeholder()
                                                 a = Assign(v, x)
                                                 r = Identity(v))"));
    const PreparedScope root = made->scope(rootGroup);
    for (const PreparedEdge& edge : root.edges)
        CHECK((edge.kind == EdgeKind::Reference) ==
              (edge.from == 0 && edge.edges[0].reader == NodeId{2}));
}

TEST_CASE("every input string is in exactly one edge, whatever the graph", "[scopes]")
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        INFO("seed " << seed);
        const GraphPtr g = randomGraph(seed, 5 + seed * 3);
        checkTree(*g, *scopes(g));
        checkEdges(*prepare(g));
        checkEdges(*prepare(
            g,
            {.hubDegree = 3, .pinned = {NodeId{0}, NodeId{3}}, .hidden = {NodeId{1}, NodeId{4}}}));
    }
}

} // namespace lapidary
