// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"
#include "transforms/recipe/step_check.h"

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

TEST_CASE("a loop with Prints is still a loop", "[passes]")
{
    const GraphPtr loop =
        GraphBuilder()
            .ints("start", {}, {0})
            .ints("end", {}, {4})
            .ints("one", {}, {1})
            .node("enter", "Enter", {"start"},
                  {{"frame_name", attr::fromString("f")}, {"T", attr::fromType(DType::Int32)}})
            .node("limit", "Enter", {"end"},
                  {{"frame_name", attr::fromString("f")},
                   {"is_constant", attr::fromBool(true)},
                   {"T", attr::fromType(DType::Int32)}})
            .node("step", "Enter", {"one"},
                  {{"frame_name", attr::fromString("f")},
                   {"is_constant", attr::fromBool(true)},
                   {"T", attr::fromType(DType::Int32)}})
            .node("merge", "Merge", {"enter", "next"},
                  {{"N", attr::fromInt(2)}, {"T", attr::fromType(DType::Int32)}})
            .node("less", "Less", {"merge", "limit"}, {{"T", attr::fromType(DType::Int32)}})
            .node("cond", "LoopCond", {"less"})
            .node("switch", "Switch", {"merge", "cond"}, {{"T", attr::fromType(DType::Int32)}})
            .node("body", "Add", {"switch:1", "step"}, {{"T", attr::fromType(DType::Int32)}})
            .node("next", "NextIteration", {"body"}, {{"T", attr::fromType(DType::Int32)}})
            .node("exit", "Exit", {"switch"}, {{"T", attr::fromType(DType::Int32)}})
            .node("y", "Neg", {"exit"}, {{"T", attr::fromType(DType::Int32)}})
            .build();
    const GraphPtr after = passed("insert_logging", loop, {}, {"y"});
    CHECK_FALSE(hasNode(after, "next__print__"));
    CHECK(inputsOf(after, "merge") == "enter__print__:0, next");
    CHECK(inputsOf(after, "next") == "body__print__:0");
    CHECK(stepFault(*loop, *after, Job()) == "");
    CHECK(computesOther(loop, after, {"y"}) == "");
}

TEST_CASE("references are not printed", "[passes]")
{
    const GraphPtr before = GraphBuilder()
                                .node("v", "VariableV2", {},
                                      {{"dtype", attr::fromType(DType::Float)},
                                       {"shape", attr::fromShape({{2}, false})}})
                                .node("read", "Identity", {"v"})
                                .node("y", "Neg", {"read"})
                                .build();
    const GraphPtr after = passed("insert_logging", before, {}, {"y"});
    CHECK_FALSE(hasNode(after, "v__print__"));
    CHECK(hasNode(after, "read__print__"));
}

namespace {

PatternCases insertLoggingPatterns(const TestFolder&)
{
    return {{"insert_logging(op=Neg)", negated(), {"neg"}, {{"another op", reluOnly()}}}};
}

const CasesOf insertLoggingCases("insert_logging", {.patterns = insertLoggingPatterns,
                                                    .sharing = {{"insert_logging(op=Conv2D)"},
                                                                {"insert_logging(op=Const)"}}});

} // namespace

} // namespace lapidary
