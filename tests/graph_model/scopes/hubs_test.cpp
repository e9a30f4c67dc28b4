// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

GraphPtr fan(int readers)
{
    std::string text = "x = Placeholder()\n";
    for (int i = 0; i < readers; ++i)
        text += "r" + std::to_string(i) + " = Relu(x, x, ^x)\n";
    return graph(text);
}

} // namespace

TEST_CASE("a node with more neighbors than the limit is a hub", "[scopes]")
{
    const PreparedScope below = prepare(fan(50), {}, namesOnly)->scope(rootGroup);
    CHECK_FALSE(below.items[0].isHub);
    const PreparedScope above = prepare(fan(51), {}, namesOnly)->scope(rootGroup);
    CHECK(above.items[0].isHub);
    CHECK_FALSE(above.items[1].isHub);
    CHECK(std::ranges::all_of(above.edges, [](const PreparedEdge& edge) { return edge.isStub; }));
}

TEST_CASE("pinned nodes and a limit of 0 cut nothing", "[scopes]")
{
    const GraphPtr g = fan(80);
    CHECK_FALSE(prepare(g, {.pinned = {NodeId{0}}, .hidden = {}}, namesOnly)
                    ->scope(rootGroup)
                    .items[0]
                    .isHub);
    CHECK_FALSE(prepare(g, {.hubDegree = 0, .pinned = {}, .hidden = {}}, namesOnly)
                    ->scope(rootGroup)
                    .items[0]
                    .isHub);
}

} // namespace lapidary
