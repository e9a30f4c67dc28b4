// SPDX-License-Identifier: Apache-2.0
// Freezing in the window: what the dialog lists, and the step that it adds.
#include "app/document/recipe/recipe_edits.h"
#include "graph_model/ops/op_traits.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/shared_data.h"

#include <algorithm>

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

struct FreezeDesktop : Desktop {
    std::string text() const { return printRecipe(recipeOf(recipe().draft())); }
    const Graph& graph() const { return *window->parts().tabs->document()->graph(); }
    std::size_t variables() const
    {
        return std::size_t(std::ranges::count_if(
            graph().nodes(), [](const NodePtr& node) { return isStoredVariable(node->op()); }));
    }
};

// A SavedModel that computes x / 2 + 2, with a checkpoint.
std::string halfPlusTwo()
{
    return (sharedData() / "models/real/half_plus_two").string();
}

GraphPtr untrained()
{
    return typed(graph("x = Placeholder()\nw = VarHandleOp()\nread = ReadVariableOp(w)\n"
                       "y = Mul(x, read)\n"));
}

} // namespace

TEST_CASE("a model with variables is frozen by keys alone, and computes the same", "[freeze]")
{
    const FreezeDesktop session;
    REQUIRE(session.run("open \"" + halfPlusTwo() + "\"" + R"(
wait idle
expect enabled recipe.freeze
action recipe.freeze
wait idle
expect text freezeSummary "2 of 2 variables become constants"
key Return
wait idle)") == 0);
    CHECK(session.text() == "freeze_variables(model=" + halfPlusTwo() + ")");
    CHECK(session.variables() == 0);
    CHECK(session.graph().find("y").isValid());
    REQUIRE(session.recipe().places().size() == 1);
    const TimelineStatePtr& state = session.recipe().places().front().state;
    REQUIRE(state);
    CHECK(session.recipe().verdicts().of(*state).kind == Verdict::Kind::Same);
    CHECK(session.recipe().verdicts().of(*state).maxAbs == 0);
    CHECK(state->matches() == 2);
    REQUIRE(session.run("expect enabled recipe.undo\naction recipe.undo\nwait idle") == 0);
    CHECK(session.variables() == 4); // of the file's own graph, not of one signature's network
}

TEST_CASE("a variable that is unchecked stays one", "[freeze]")
{
    const FreezeDesktop session;
    REQUIRE(session.run("open \"" + halfPlusTwo() + "\"" + R"(
wait idle
action recipe.freeze
wait idle
key Tab
key Tab
key Space
expect text freezeSummary "1 of 2 variables become constants"
key Return
wait idle)") == 0);
    CHECK(session.text().find("except=") != std::string::npos);
    CHECK(session.variables() == 1);
}

TEST_CASE("a variable without a value is named, and what to do", "[freeze]")
{
    const FreezeDesktop session;
    const std::string model = session.write("net.pb", untrained());
    REQUIRE(session.run("open " + model + R"(
wait idle
action recipe.freeze
wait idle
expect text freezeFault "w: no checkpoint belongs to the model. Uncheck it"
key Return
wait idle
type "/nowhere/model-1"
key Return
wait idle
expect text freezeFault "/nowhere/model-1"
key Escape
wait idle)") == 0);
    CHECK(session.recipe().items().empty());
}

TEST_CASE("where freezing is given up, the network is shown as it was", "[freeze]")
{
    const FreezeDesktop session;
    const std::string model = (sharedData() / "models/real/serving_half_plus_two_tf2").string();
    REQUIRE(session.run("open \"" + model + R"("
wait idle
action recipe.freeze
wait idle
key Escape
wait idle)") == 0);
    CHECK(session.window->parts().tabs->document()->graphs().isInNetwork());
    CHECK(session.recipe().items().empty());
}

TEST_CASE("steps run of a model whose network is shown", "[freeze]")
{
    const FreezeDesktop session;
    const std::string model = (sharedData() / "models/real/serving_half_plus_two_tf2").string();
    REQUIRE(session.run("open \"" + model + "\"\nwait idle") == 0);
    REQUIRE(session.window->parts().tabs->document()->graphs().isInNetwork());
    RecipeSession& recipe = session.recipe();
    recipe.change(withAppliedItem(
        recipe.draft(), 0,
        {parseRecipe("remove_device", RecipeSyntax::Strict).value().front(), true}));
    session.window->show();
    REQUIRE(session.run("wait idle") == 0);
    REQUIRE(recipe.places().size() == 1);
    CHECK(recipe.places()[0].status == RecipeSession::Status::Applied);
    CHECK_FALSE(session.window->parts().tabs->document()->graphs().isInNetwork());
}

TEST_CASE("outputs that are not there are named", "[freeze]")
{
    const FreezeDesktop session;
    REQUIRE(session.run("open \"" + halfPlusTwo() + "\"" + R"(
wait idle
action recipe.freeze
wait idle
key Ctrl+A
type "nothing"
key Return
wait idle
expect text freezeFault "output nothing is not in the graph"
key Ctrl+A
type "y"
key Return
wait idle
expect text freezeSummary "2 of 2 variables"
key Return
wait idle)") == 0);
    CHECK(session.recipe().applied() == 1);
    CHECK(session.variables() == 0);
}

TEST_CASE("a graph without variables offers no freezing", "[freeze]")
{
    const FreezeDesktop session;
    const std::string model =
        session.write("net.pb", typed(graph("x = Placeholder()\ny = Relu(x)\n")));
    CHECK(session.run("open " + model + "\nwait idle\nexpect enabled recipe.freeze") == 1);
}
