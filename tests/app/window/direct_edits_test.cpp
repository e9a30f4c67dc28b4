// SPDX-License-Identifier: Apache-2.0
// Edits of the selection as steps of the recipe, and long recipes.
#include "app/document/recipe/recipe_edits.h"
#include "app/script/script_driver.h"
#include "app/window/main_window.h"
#include "graph_model/write/write_model.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/canvas/graph_canvas.h"

#include <QApplication>
#include <QTemporaryDir>

#include <fstream>
#include <sstream>

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

struct EditDesktop : Desktop {
    std::string text() const { return printRecipe(recipeOf(recipe().draft())); }
    const Graph& graph() const { return *window->parts().tabs->document()->graph(); }
};

} // namespace

TEST_CASE("edits of the selection are steps that undo takes back", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + "\nwait idle\nselect stem/MaxPool\nwait idle") == 0);
    const std::size_t before = session.graph().size();
    const GraphPtr original = session.window->parts().tabs->document()->graph();
    CHECK(session.run("action node.bypass\nwait idle") == 0);
    CHECK(session.text() == "bypass_nodes(name=stem/MaxPool)");
    CHECK(session.recipe().applied() == 1);
    CHECK(session.recipe().shown() == 1);
    CHECK(session.graph().size() == before - 1);
    CHECK_FALSE(session.graph().find("stem/MaxPool").isValid());
    CHECK(session.run("action recipe.undo\nwait idle") == 0);
    CHECK(session.recipe().items().empty());
    CHECK(session.window->parts().tabs->document()->graph() == original);
}

TEST_CASE("an edit that cannot be done adds no step and says why", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + "\nwait idle\nselect stem/MaxPool\nwait idle\n" +
                        "action node.delete\nwait idle") == 0);
    CHECK(session.recipe().items().empty());
    CHECK(session.run("action node.deleteReaders\nwait idle") == 0);
    CHECK(session.text() == "delete_nodes(name=stem/MaxPool, with_readers=true)");
    CHECK(session.graph().size() > 0);
}

TEST_CASE("a form asks for a new name and stays while it is wrong", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + R"(
wait idle
select stem/MaxPool
wait idle
action node.rename
key Ctrl+A
type images
key Return
wait idle
expect text editFault "already named images"
key Ctrl+A
type "stem/pool"
key Return
wait idle)") == 0);
    CHECK(session.text() == "rename_node(old_name=stem/MaxPool, new_name=stem/pool)");
    CHECK(session.graph().find("stem/pool").isValid());
}

TEST_CASE("an output that is renamed stays the output, under its new name", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + "\nwait idle") == 0);
    const InterfaceSession& interface = session.window->parts().tabs->document()->interface();
    REQUIRE(interface.choice().outputs.size() == 1);
    const std::string old = interface.choice().outputs.front().tensor;
    const std::string node(parseInput(old).node);
    REQUIRE(session.run("select " + node + R"(
wait idle
action node.rename
key Ctrl+A
type "answer"
key Return
wait idle)") == 0);
    CHECK(interface.choice().outputs.front().tensor == "answer:0");
    CHECK(interface.choice().outputs.front().node == session.graph().find("answer"));
    CHECK(interface.originalChoice().outputs.front().tensor == old);
    CHECK(namesAfter(session.recipe(), 1, {old}) == std::vector<std::string>{"answer:0"});
    REQUIRE(session.run("action recipe.undo\nwait idle") == 0);
    CHECK(interface.choice().outputs.front().tensor == old);
    CHECK(interface.choice().outputs.front().node == session.graph().find(node));
}

TEST_CASE("a scope is extracted by its name", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model +
                        "\nwait idle\nselect block1\nwait idle\naction node.extract\nwait idle") ==
            0);
    CHECK(session.text() == "extract_nodes(scope=block1)");
    for (const NodePtr& node : session.graph().nodes()) {
        INFO(node->name());
        CHECK((node->name().starts_with("block1/") || node->op() == "Placeholder"));
    }
}

TEST_CASE("undo to the start and redo to the end restore ten steps byte for byte", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + "\nwait idle") == 0);
    const char* const steps[]{
        "remove_device",         "add_default_attributes",  "remove_nodes(op=Identity)",
        "fold_constants",        "fold_batch_norms",        "round_weights(num_steps=16)",
        "merge_duplicate_nodes", "sort_by_execution_order", "quantize_weights(minimum_size=64)",
        "obfuscate_names"};
    std::vector<std::string> bytes{encodeGraphDef(session.graph())};
    for (const char* step : steps) {
        RecipeSession& recipe = session.recipe();
        recipe.change(
            withAppliedItem(recipe.draft(), recipe.items().size(),
                            {parseRecipe(step, RecipeSyntax::Strict).value().front(), true}));
        recipe.show(recipe.applied());
        REQUIRE(session.run("wait idle") == 0);
        bytes.push_back(encodeGraphDef(session.graph()));
    }
    CHECK(bytes.front() != bytes.back());
    for (std::size_t i = bytes.size() - 1; i-- > 0;) {
        REQUIRE(session.run("action recipe.undo\nwait idle") == 0);
        INFO("after undo: " << i);
        CHECK((encodeGraphDef(session.graph()) == bytes[i]));
    }
    CHECK_FALSE(session.recipe().history().canUndo());
    for (std::size_t i = 1; i < bytes.size(); ++i) {
        REQUIRE(session.run("action recipe.redo\nwait idle") == 0);
        INFO("after redo: " << i);
        CHECK((encodeGraphDef(session.graph()) == bytes[i]));
    }
    CHECK_FALSE(session.recipe().history().canRedo());
}

TEST_CASE("a model that changes on disk keeps its recipe", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + "\nwait idle\nselect stem/MaxPool\nwait idle\n" +
                        "action node.bypass\nwait idle") == 0);
    session.write("net.pb", session.recipe().base());
    REQUIRE(session.run("action file.reload\nwait idle") == 0);
    CHECK(session.text() == "bypass_nodes(name=stem/MaxPool)");
    CHECK(session.recipe().applied() == 1);
    CHECK_FALSE(session.graph().find("stem/MaxPool").isValid());
    // In a file without that node, the step fails and says so; the picture stays.
    session.write("net.pb", samples::flatChain());
    REQUIRE(session.run("action file.reload\nwait idle") == 0);
    CHECK(session.recipe().items().size() == 1);
    REQUIRE(session.recipe().places().size() == 1);
    CHECK(session.recipe().places()[0].status == RecipeSession::Status::Failed);
    CHECK(session.graph().size() > 0);
}

TEST_CASE("keys that follow at once go to the form that was asked for", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + R"(
wait idle
select stem/MaxPool
wait idle
action node.rename
type pooled
key Return
wait idle)") == 0);
    CHECK(session.text() == "rename_node(old_name=stem/MaxPool, new_name=pooled)");
}

TEST_CASE("several boxes are selected by mouse or keys and edited at once", "[edits]")
{
    const EditDesktop session;
    const std::string model =
        session.write("net.pb", graph("x = Placeholder()\na = Tanh(x)\nb = Neg(a)\nc = Exp(b)\n"
                                      "y = Relu(c)"));
    REQUIRE(session.run("open " + model + R"(
wait idle
action view.expandAll
wait idle
click node b
expect selected-items 1
click ctrl node c
expect selected c
expect selected-items 2
expect disabled node.rename
click ctrl node c
expect selected b
expect selected-items 1
expect enabled node.rename
click shift node c
expect selected-items 2
click node c
expect selected-items 1
click node b
action view.focusCanvas
key Ctrl+Space
key Down
expect selected c
expect selected-items 2
key Down
expect selected y
expect selected-items 2
key Up
drag shift a c
wait idle
expect selected-items 3
click ctrl node a
expect selected-items 2
expect text facts "2 boxes")") == 0);
    CHECK(session.window->parts().tabs->canvas()->highlights().state().chosen.size() == 2);
    CHECK(session.window->parts().tabs->canvas()->highlights().state().chosen.contains(
        ItemId::of(session.graph().find("c"))));
    REQUIRE(session.run("action node.bypass\nwait idle") == 0);
    CHECK(session.text() == "bypass_nodes(name=b, name=c)");
    CHECK(session.graph().size() == 3);
    // A node is no longer selected once it was removed; undoing the removal does not select it
    // again.
    CHECK(session.window->parts().tabs->document()->selection().items().empty());
    REQUIRE(session.run(R"(action recipe.undo
wait idle
action view.fitAll
wait idle
action edit.selectAll
expect selected-items 5
click node y
expect selected-items 1)") == 0);
}

TEST_CASE("the boxes that are selected become a graph of their own", "[edits]")
{
    const EditDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + R"(
wait idle
expand stem
wait idle
click node stem/MaxPool
click ctrl node stem/Relu
expect selected-items 2
action node.extract
wait idle)") == 0);
    CHECK(session.text() == "extract_nodes(name=stem/Relu, name=stem/MaxPool)");
    CHECK(session.graph().find("stem/MaxPool").isValid());
    CHECK(session.graph().size() == 3); // and a placeholder for what Relu reads
}
