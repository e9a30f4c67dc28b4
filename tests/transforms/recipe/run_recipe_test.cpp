// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/recipe/preview.h"
#include "transforms/recipe/recipe_remarks.h"

namespace lapidary {
namespace {

RecipeRun runText(const GraphPtr& base, const char* text)
{
    const auto recipe = parseRecipe(text, RecipeSyntax::Original);
    REQUIRE(recipe.ok());
    return runRecipe(base, *recipe, {"x"}, {"y"}, Job());
}

const char* const chain = "x = Placeholder()\ni = Identity(x)\nunused = Neg(x)\ny = Relu(i)\n";

} // namespace

TEST_CASE("each step of a recipe is a version of its own", "[run_recipe]")
{
    const GraphPtr base = graph(chain);
    const RecipeRun run = runText(base, "strip_unused_nodes remove_nodes(op=Identity)");
    REQUIRE(run.ok());
    REQUIRE(run.states.size() == 2);
    CHECK(run.states[0].edit.graph->size() == 3);
    CHECK(printGraph(*run.result(base)) == printGraph(*graph("x = Placeholder()\ny = Relu(x)\n")));
    CHECK(base->size() == 4);
}

TEST_CASE("where only the last graph is kept, each step still says what it changed", "[run_recipe]")
{
    const GraphPtr base = graph(chain);
    const auto recipe =
        parseRecipe("strip_unused_nodes remove_nodes(op=Identity)", RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    const RecipeRun all = runRecipe(base, *recipe, {"x"}, {"y"}, Job());
    const RecipeRun last =
        runRecipe(base, *recipe, {"x"}, {"y"}, Job(), {.kept = KeptGraphs::Last});
    REQUIRE(last.states.size() == 2);
    CHECK(last.states[0].edit.graph == nullptr);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(last.states[i].edit.changes > 0);
        CHECK(last.states[i].edit.changes == all.states[i].edit.changes);
        CHECK(last.states[i].edit.places == all.states[i].edit.places);
    }
    CHECK(recipeRemarks(base, last, {{"x"}, {"y"}, {}}, false, Job()).empty());
}

TEST_CASE("a step that fails leaves the states before it", "[run_recipe]")
{
    const GraphPtr base = graph(chain);
    const RecipeRun run = runText(base, "strip_unused_nodes rename_op remove_device");
    CHECK_FALSE(run.ok());
    CHECK(run.fault.find("rename_op") == 0); // once
    CHECK(run.fault.find("rename_op: rename_op") == std::string::npos);
    CHECK(run.states.size() == 1);
    const RecipeRun ignored = runText(base, "rename_op(ignore_errors=true) remove_device");
    CHECK(ignored.ok());
    CHECK_FALSE(ignored.states[0].ignoredError.empty());
    CHECK_FALSE(runText(base, "remove_device(ignore_errors=1)").ok());
    CHECK_FALSE(runText(base, "no_such_pass").ok());
}

TEST_CASE("a step that would leave no node fails", "[run_recipe]")
{
    const GraphPtr base = graph(chain);
    for (const char* const pass : {"strip_unused_nodes", "strip_unused"}) {
        const auto recipe = parseRecipe(pass, RecipeSyntax::Strict);
        REQUIRE(recipe.ok());
        const RecipeRun run = runRecipe(base, *recipe, {}, {}, Job());
        CHECK(run.fault.find("no node would be left") != std::string::npos);
        CHECK(run.faultReason == ErrorReason::NoOutputs);
        CHECK(runRecipe(base, *recipe, {}, {}, Job(), {StepCheck::Names}).ok()); // as the original
    }
}

TEST_CASE("an output that a step renames is meant by its new name from then on", "[run_recipe]")
{
    const GraphPtr base = graph("x = Placeholder()\ny = Relu(x)\nz = Neg(x)\n");
    const auto recipe =
        parseRecipe("rename_node(old_name=y, new_name=out) rename_node(old_name=x, new_name=in) "
                    "strip_unused_nodes remove_dead_nodes",
                    RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    const RecipeRun run = runRecipe(base, *recipe, {"x:0"}, {"y:0"}, Job());
    INFO(run.fault);
    REQUIRE(run.ok());
    CHECK(run.result(base)->size() == 2);
    CHECK(run.result(base)->find("out").isValid());
    CHECK(previewRecipe(base, *recipe, {"x:0"}, {"y:0"}, Job()).ok());
}

TEST_CASE("a preview tells matches from near misses and changes nothing", "[run_recipe]")
{
    const GraphPtr base = graph("p = Placeholder()\na = Const()\nc = ConcatV2(p, p, a)\n");
    const auto recipe = parseRecipe("backport_concatv2", RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    const auto preview = previewRecipe(base, *recipe, {}, {}, Job());
    REQUIRE(preview.ok());
    REQUIRE(preview->size() == 1);
    REQUIRE((*preview)[0].findings.size() == 1);
    CHECK((*preview)[0].findings[0].why.empty());
    CHECK((*preview)[0].graph == base);
    CHECK((*preview)[0].changes == 1);
}

namespace {

std::string faultOf(const GraphPtr& graph, const char* recipe)
{
    return runRecipe(graph, parseRecipe(recipe, RecipeSyntax::Original).value(), {}, {}, Job())
        .fault;
}

} // namespace

TEST_CASE("ignore_errors leaves a step out that fails", "[run_recipe]")
{
    const GraphPtr some = graph("c = Const()\n");
    CHECK(faultOf(some, "rename_op(ignore_errors=true)").empty());
    CHECK_FALSE(faultOf(some, "rename_op(ignore_errors=false)").empty());
    CHECK_FALSE(faultOf(some, "rename_op").empty());
    CHECK_FALSE(faultOf(some, "remove_device(ignore_errors=foo)").empty());
}

TEST_CASE("a pass that does not exist is a fault", "[run_recipe]")
{
    CHECK(faultOf(graph("p = Placeholder()\n"), "test_no_such_transform").find("not recognized") !=
          std::string::npos);
}

} // namespace lapidary
