// SPDX-License-Identifier: Apache-2.0
#include "runner/node_data/data_table.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

NodeData data(const char* name, std::vector<NodeNumber> numbers)
{
    NodeData made;
    made.name = name;
    made.numbers = std::move(numbers);
    return made;
}

DataTablePtr tableOf(const std::vector<NodeData>& all)
{
    const GraphPtr made = graph("x = Placeholder()\na/b = Relu(x)\ny = Neg(a/b)\n");
    const auto table = DataTable::make(made, all, Job());
    REQUIRE(table.ok());
    return *table;
}

} // namespace

TEST_CASE("a table has a row for each node with a number, and one for each unknown name",
          "[node_data]")
{
    const auto table = tableOf({data("ms", {{"y", 3}, {"gone", 1}, {"x", 2}}),
                                data("dB", {{"x:0", 7}, {"far", 5}, {"x:1", 4}})});
    REQUIRE(table->rows().size() == 4);
    CHECK(table->rows()[0].name == "x");
    CHECK(table->rows()[1].name == "y");
    CHECK(!table->rows()[2].node.isValid());
    CHECK(table->columns()[0].unknown == std::vector<std::string>{"gone"});
    CHECK(table->columns()[1].unknown == std::vector<std::string>{"far"});
    CHECK(table->columns()[1].nodes == 1);
    const auto x = table->rowOf(table->graph()->find("x"));
    REQUIRE(x);
    CHECK(table->number(*x, 0) == 2);
    CHECK(table->number(*x, 1) == 7); // the larger of its two tensors
    CHECK(!table->number(*table->rowOf(table->graph()->find("y")), 1));
    CHECK(!table->rowOf(table->graph()->find("a/b")));
}

TEST_CASE("keys that are positions of nodes are taken as such, unless they name nodes",
          "[node_data]")
{
    const auto table = tableOf({data("ms", {{"1", 3}}), data("far", {{"1", 3}, {"99", 3}})});
    CHECK(table->columns()[0].isByPosition);
    CHECK(table->number(*table->rowOf(table->graph()->find("a/b")), 0) == 3);
    CHECK(!table->columns()[1].isByPosition); // the graph has no 99th node
    CHECK(table->columns()[1].unknown.size() == 2);
}

} // namespace lapidary
