// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

namespace {

Strings sorted(const char* text)
{
    return namesOf(passed("sort_by_execution_order", graph(text), {}, {}));
}

} // namespace

TEST_CASE("execution order of two constants", "[passes]")
{
    CHECK(sorted("add_node = Add(a_node, b_node)\nb_node = Const()\na_node = Const()\n") ==
          Strings{"a_node", "b_node", "add_node"});
}

TEST_CASE("execution order of a chain", "[passes]")
{
    CHECK(
        sorted("negative = Neg(sqrt)\nrelu = Relu(const)\nsqrt = Sqrt(relu)\nconst = Const()\n") ==
        Strings{"const", "relu", "sqrt", "negative"});
}

TEST_CASE("execution order of a tree", "[passes]")
{
    CHECK(sorted("add1 = Add(add2, add3)\nadd2 = Add(c1, c2)\nadd3 = Add(c3, c4)\n"
                 "c1 = Const()\nc2 = Const()\nc3 = Const()\nc4 = Const()\n") ==
          Strings{"c4", "c3", "add3", "c2", "c1", "add2", "add1"});
}

TEST_CASE("execution order with a common ancestor", "[passes]")
{
    CHECK(sorted("add1 = Add(add2, add3)\nadd2 = Add(c1, c2)\nadd3 = Add(c1, c3)\n"
                 "c1 = Const()\nc2 = Const()\nc3 = Const()\n") ==
          Strings{"c3", "c2", "c1", "add3", "add2", "add1"});
}

TEST_CASE("execution order of a loop", "[passes]")
{
    CHECK(sorted("enter = Enter(c)\nmerge = Merge(enter, next)\nlt = Less(merge, lim)\n"
                 "cond = LoopCond(lt)\nsw = Switch(merge, cond)\nexit = Exit(sw)\n"
                 "id = Identity(sw:1)\nadd = Add(id, one)\nnext = NextIteration(add)\n"
                 "c = Const()\nlim = Const()\none = Const(^id)\n") ==
          Strings{"lim", "c", "enter", "merge", "lt", "cond", "sw", "id", "one", "add", "next",
                  "exit"});
}

namespace {

PatternCases sortByExecutionOrderPatterns(const TestFolder&)
{
    const GraphPtr backwards = GraphBuilder()
                                   .node("y", "Relu", {"neg"})
                                   .node("neg", "Neg", {"x"})
                                   .placeholder("x", {2})
                                   .build();
    return {{"sort_by_execution_order", backwards, {"neg"}, {}}};
}

const CasesOf sortByExecutionOrderCases("sort_by_execution_order",
                                        {.patterns = sortByExecutionOrderPatterns,
                                         .sharing = {{"sort_by_execution_order"}}});

} // namespace

} // namespace lapidary
