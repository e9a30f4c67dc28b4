// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

#include <set>

namespace lapidary {

namespace {

// Three constants, two sums of them, their product and a sum of that.
GraphPtr loggedGraph()
{
    return GraphBuilder()
        .floats("const_node1", {10}, {1, 2, 3})
        .floats("const_node2", {10}, {4, 5})
        .floats("const_node3", {10}, {6, 7, 8, 9})
        .node("add_node2", "Add", {"const_node1", "const_node2"})
        .node("add_node3", "Add", {"const_node1", "const_node3"})
        .node("mul_node1", "Mul", {"add_node2", "add_node3"})
        .node("add_node4", "Add", {"mul_node1", "const_node3"})
        .build();
}

std::set<std::string> printed(const char* step)
{
    const GraphPtr before = loggedGraph();
    const GraphPtr after = passed(step, before, {}, {"add_node4"});
    CHECK(computesOther(before, after, {"add_node4"}) == "");
    std::set<std::string> first;
    for (const NodePtr& node : after->nodes())
        if (node->op() == "Print")
            first.emplace(node->inputs()[0].text);
    CHECK(first.size() == countOps(after, "Print"));
    return first;
}

} // namespace

TEST_CASE("every node that is read gets a Print", "[passes]")
{
    CHECK(printed("insert_logging") == std::set<std::string>{"mul_node1:0", "add_node2:0",
                                                             "add_node3:0", "const_node1:0",
                                                             "const_node2:0", "const_node3:0"});
}

TEST_CASE("only the ops that are named get a Print", "[passes]")
{
    CHECK(printed("insert_logging(op=Mul, op=Add)") ==
          std::set<std::string>{"mul_node1:0", "add_node2:0", "add_node3:0"});
}

TEST_CASE("only the names with a prefix get a Print", "[passes]")
{
    CHECK(printed("insert_logging(prefix=add_node)") ==
          std::set<std::string>{"add_node2:0", "add_node3:0"});
}

} // namespace lapidary
