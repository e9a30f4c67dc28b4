// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "runner/setup/estimate_cost.h"
#include "runner/setup/proposed_shape.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <algorithm>

namespace lapidary {
namespace {

void giveShape(GraphEdit& edit, const Graph& graph, const char* name, const Shape& shape)
{
    const NodeId id = graph.find(name);
    NodeDraft draft = NodeDraft::of(graph.node(id));
    draft.setAttr("dtype", attr::fromType(DType::Float));
    draft.setAttr("shape", attr::fromShape(shape));
    edit.replace(id, std::move(draft));
}

} // namespace

TEST_CASE("costs are estimated for a batch of one where the file leaves it open", "[setup]")
{
    const GraphPtr bare = graph("x = Placeholder()\nw = Placeholder()\ny = MatMul(x, w)\n");
    REQUIRE(bare);
    GraphEdit edit(bare);
    giveShape(edit, *bare, "x", {{-1, 3}, false});
    giveShape(edit, *bare, "w", {{3, 2}, false});
    const GraphPtr made = typed(std::move(edit).finish().value().graph);
    const auto known = inferShapes(*made, {}, Job());
    REQUIRE(known.ok());
    const auto cost = estimateCost(*made, *known, Job());
    REQUIRE(cost.ok());
    const auto& nodes = (*cost)->nodes;
    const auto product = std::ranges::find(nodes, std::string("y"), &ProfiledNode::name);
    REQUIRE(product != nodes.end());
    CHECK(product->flops == 2 * 3 * 2);
    CHECK(product->bytes == 2 * sizeof(float));
    CHECK(product->nanoseconds == 0);
}

TEST_CASE("of very many inputs some get sizes, and the others stay open", "[setup]")
{
    Graph::Parts parts;
    constexpr int count = 3000;
    for (int i = 0; i < count; ++i) {
        NodeDraft input{.name = "x" + std::to_string(i), .op = "Placeholder"};
        input.setAttr("dtype", attr::fromType(DType::Float));
        NodeDraft relu{.name = "y" + std::to_string(i), .op = "Relu", .inputs = {input.name}};
        relu.setAttr("T", attr::fromType(DType::Float));
        parts.nodes.push_back(input.finish());
        parts.nodes.push_back(relu.finish());
    }
    const GraphPtr made = Graph::make(std::move(parts));
    const auto known = inferShapes(*made, {}, Job());
    REQUIRE(known.ok());
    const auto cost = estimateCost(*made, *known, Job());
    REQUIRE(cost.ok());
    const auto sized = std::size_t(std::ranges::count_if(
        (*cost)->nodes, [](const ProfiledNode& node) { return node.op == "Relu"; }));
    CHECK(sized > 0);
    CHECK(sized <= mostProposals(*made));
}

} // namespace lapidary
