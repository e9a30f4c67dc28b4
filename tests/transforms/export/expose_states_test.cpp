// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/expose_states.h"

namespace lapidary::kept_states {
namespace {

const TestAttrs ofState{{"dtype", attr::fromType(DType::Float)},
                        {"shape", attr::fromShape({{2}, false})}};
const TestAttrs floats{{"dtype", attr::fromType(DType::Float)}};

// y = x + state, which is the next state.
GraphBuilder counter(const std::string& change, const std::string& operand)
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).node("state", "VarHandleOp", {}, ofState);
    builder.node("before", "ReadVariableOp", {"state"}, floats);
    builder.node("sum", "AddV2", {"before", "x"});
    builder.node("change", change, {"state", operand}, floats);
    builder.node("after", "ReadVariableOp", {"state", "^change"}, floats);
    builder.node("y", "Identity", {"sum", "^change"}).node("z", "Neg", {"after"});
    return builder;
}

} // namespace

TEST_CASE("A state that a model keeps from run to run becomes an input and an output",
          "[export][states]")
{
    const auto [change, operand] = GENERATE(table<std::string, std::string>(
        {{"AssignVariableOp", "sum"}, {"AssignAddVariableOp", "x"}}));
    const GraphPtr graph = counter(change, operand).build();
    CHECK(changedVariables(graph, {"y"}, Job()) == std::set<std::string, std::less<>>{"state"});
    const auto made = exposeStates(graph);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    REQUIRE(made->states.size() == 1);
    CHECK(made->states[0].input == "state");
    CHECK(made->states[0].output == "change");
    CHECK(opOf(made->graph, "state") == "Placeholder");
    CHECK(inputsOf(made->graph, "before") == "state");
    CHECK(inputsOf(made->graph, "after") == "change, ^change"); // after the change
    GraphBuilder wanted;
    wanted.placeholder("x", {2}).placeholder("state", {2});
    wanted.node("change", "AddV2", {"state", "x"}).node("y", "Identity", {"change"});
    wanted.node("z", "Neg", {"change"});
    CHECK(computesOther(wanted.build(), made->graph, {"y", "z", "change"}) == "");
}

TEST_CASE("A variable that is referred to becomes an input too", "[export][states]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).node("state", "VariableV2", {}, ofState);
    builder.node("sum", "AddV2", {"state", "x"}).node("change", "Assign", {"state", "sum"});
    builder.node("y", "Neg", {"change"});
    const auto made = exposeStates(builder.build());
    REQUIRE(made);
    CHECK(inputsOf(made->graph, "sum") == "state, x");
    CHECK(inputsOf(made->graph, "change") == "sum");
}

TEST_CASE("A state that is only overwritten is not an input", "[export][states]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).node("state", "VarHandleOp", {}, ofState);
    builder.node("change", "AssignVariableOp", {"state", "x"}, floats);
    builder.node("y", "ReadVariableOp", {"state", "^change"}, floats);
    const auto made = exposeStates(builder.build());
    REQUIRE(made);
    REQUIRE(made->states.size() == 1);
    CHECK(made->states[0].input == "");
    CHECK(inputsOf(made->graph, "y") == "change, ^change");
}

TEST_CASE("States that no device's file has are refused by their nodes", "[export][states]")
{
    GraphBuilder twice = counter("AssignVariableOp", "sum");
    twice.node("again", "AssignVariableOp", {"state", "x"}, floats);
    const auto both = exposeStates(twice.build());
    REQUIRE_FALSE(both);
    CHECK(both.error().message.starts_with("again: AssignVariableOp changes the variable state"));
    GraphBuilder part = counter("AssignVariableOp", "sum");
    part.ints("places", {1}, {0}).floats("one", {1}, {1});
    part.node("scatter", "ResourceScatterAdd", {"state", "places", "one"}, floats);
    const auto scattered = exposeStates(part.build());
    REQUIRE_FALSE(scattered);
    CHECK(scattered.error().message.starts_with("scatter: ResourceScatterAdd reads or changes"));
    GraphBuilder none;
    none.node("state", "VarHandleOp", {}, ofState);
    none.node("y", "ReadVariableOp", {"state"}, floats);
    CHECK(changedVariables(none.build(), {"y"}, Job()).empty());
    CHECK_FALSE(exposeStates(none.build()));
}

} // namespace lapidary::kept_states
