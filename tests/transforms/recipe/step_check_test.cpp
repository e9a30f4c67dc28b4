// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/recipe/run_recipe.h"
#include "transforms/recipe/step_check.h"

namespace lapidary {
namespace {

GraphBuilder sound()
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).floats("w", {2}, {1}).node("y", "Add", {"x", "w"});
    return builder;
}

std::string faultBehind(const GraphBuilder& builder)
{
    return stepFault(*sound().build(), *builder.build(), Job());
}

} // namespace

TEST_CASE("a sound graph is not a fault, nor what was broken before", "[step_check]")
{
    CHECK(faultBehind(sound()) == "");
    GraphBuilder broken = sound();
    broken.node("z", "Neg", {"y:3"});
    CHECK(stepFault(*broken.build(), *broken.build(), Job()) == "");
}

TEST_CASE("ports, types, numbers of inputs and cycles are faults of a node", "[step_check]")
{
    GraphBuilder port = sound();
    port.node("bad", "Neg", {"y:3"});
    CHECK(faultBehind(port).starts_with("bad: "));
    GraphBuilder type = sound();
    type.node("bad", "Neg", {"y"}, {{"T", attr::fromType(DType::Int32)}});
    CHECK(faultBehind(type).starts_with("bad: "));
    GraphBuilder count = sound();
    count.node("bad", "Neg", {"y", "x"});
    CHECK(faultBehind(count).starts_with("bad: "));
    GraphBuilder cycle = sound();
    cycle.node("bad", "Neg", {"worse"}).node("worse", "Neg", {"bad"});
    CHECK(faultBehind(cycle) != "");
    GraphBuilder loop = sound();
    loop.node("enter", "Enter", {"x"}, {{"frame_name", attr::fromString("f")}})
        .node("merge", "Merge", {"enter", "next"}, {{"N", attr::fromInt(2)}})
        .node("next", "NextIteration", {"merge"});
    CHECK(faultBehind(loop) == "");
}

TEST_CASE("colocation with a node that does not exist is a fault of a node", "[step_check]")
{
    const std::string placed = std::string("\x0a\x08\x12\x06loc:@w", 10); // list of one string
    GraphBuilder right = sound();
    right.node("good", "Neg", {"y"}, {{"_class", placed}});
    CHECK(faultBehind(right) == "");
    const std::string lost = std::string("\x0a\x08\x12\x06loc:@v", 10);
    GraphBuilder wrong = sound();
    wrong.node("bad", "Neg", {"y"}, {{"_class", lost}});
    CHECK(faultBehind(wrong).starts_with("bad: "));
    CHECK(stepFault(*wrong.build(), *wrong.build(), Job()) == "");
}

TEST_CASE("a tensor that differed before is known by its new name, too", "[step_check]")
{
    GraphBuilder broken = sound();
    broken.node("z", "Neg", {"y:3"});
    const auto recipe = parseRecipe("obfuscate_names", RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    const RecipeRun run = runRecipe(broken.build(), *recipe, {"x"}, {"y"}, Job());
    INFO(run.fault);
    REQUIRE(run.ok());
    CHECK_FALSE(hasNode(run.states[0].edit.graph, "z"));
}

TEST_CASE("a step that breaks the graph leaves the states before it", "[step_check]")
{
    GraphBuilder builder = sound();
    builder.node("unused", "Neg", {"x"});
    const auto recipe = parseRecipe(
        "strip_unused_nodes rename_op(old_op_name=Add, new_op_name=Neg)", RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    const RecipeRun run = runRecipe(builder.build(), *recipe, {"x"}, {"y"}, Job());
    CHECK_FALSE(run.ok());
    CHECK(run.fault.find("y: ") != std::string::npos);
    REQUIRE(run.states.size() == 1);
    CHECK(run.states[0].edit.graph->size() == 3);
    CHECK(runRecipe(builder.build(), *recipe, {"x"}, {"y"}, Job(), {StepCheck::Names}).ok());
}

} // namespace lapidary
