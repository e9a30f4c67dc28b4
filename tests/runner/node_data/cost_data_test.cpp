// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "runner/node_data/cost_data.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

GraphPtr shaped(const char* text, const std::vector<std::pair<const char*, Shape>>& shapes)
{
    const GraphPtr bare = graph(text);
    GraphEdit edit(bare);
    for (const auto& [name, shape] : shapes) {
        const NodeId id = bare->find(name);
        NodeDraft draft = NodeDraft::of(bare->node(id));
        draft.setAttr("dtype", attr::fromType(DType::Float));
        draft.setAttr("shape", attr::fromShape(shape));
        edit.replace(id, std::move(draft));
    }
    return typed(std::move(edit).finish().value().graph);
}

} // namespace

TEST_CASE("the cost of a graph is data of its nodes, and weights count where they are used",
          "[node_data][cost]")
{
    const GraphPtr made = shaped("x = Placeholder()\nw = VariableV2()\nw/read = Identity(w)\n"
                                 "y = MatMul(x, w/read)\nz = MatMul(x, w/read)\n",
                                 {{"x", {{1, 3}, false}}, {"w", {{3, 2}, false}}});
    const auto shapes = inferShapes(*made, {}, Job());
    REQUIRE(shapes.ok());
    const auto cost = costOf(*made, *shapes, Job());
    REQUIRE(cost.ok());
    const auto columns = costData(*made, *cost);
    REQUIRE(columns.size() == 4);
    using Numbers = std::vector<NodeNumber>;
    CHECK(columns[0].numbers == Numbers{{"y", 12}, {"z", 12}});
    CHECK(columns[1].numbers == Numbers{{"y", 6}}); // counted once, although two nodes read it
    CHECK(columns[3].numbers == Numbers{{"y", (12 + 24 + 8) / 12.0}, {"z", (12 + 24 + 8) / 12.0}});
    const NodeData& outputs = columns[2];
    CHECK(std::ranges::find(outputs.numbers, NodeNumber{"y", 8}) != outputs.numbers.end());
    CHECK(std::ranges::none_of(outputs.numbers,
                               [](const NodeNumber& number) { return number.key == "w"; }));
}

} // namespace lapidary
