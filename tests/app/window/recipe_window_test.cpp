// SPDX-License-Identifier: Apache-2.0
#include "app/script/script_driver.h"
#include "app/window/docks/window_docks.h"
#include "app/window/main_window.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/recipe/recipe_rows.h"
#include "graph_model/write/write_model.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/recipe/run_recipe.h"
#include "views/canvas/graph_canvas.h"
#include "views/panels/base/fact_view.h"
#include "views/panels/node_panel.h"
#include "views/panels/recipe/recipe_panel.h"
#include "views/panels/recipe/recipe_text.h"

#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTemporaryDir>

#include <fstream>
#include <sstream>

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

struct RecipeDesktop : Desktop {
    std::string read(const char* name) const
    {
        std::ifstream in(path(name), std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
};

const char* const unknownSizes = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: -1 } } } } }
node { name: "same" op: "Identity" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "same" attr { key: "T" value { type: DT_FLOAT } } }
)";

} // namespace

TEST_CASE("a preset is previewed, applied, walked along and saved, without a pointer",
          "[recipe_window]")
{
    const RecipeDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    const std::string out = session.path("out.pb");
    CHECK(session.run("open " + model + R"(
wait idle
action recipe.arm32
wait idle
expect text recipeSteps fold_batch_norms
expect text timeline original
expect disabled state.previous
key F9
wait idle
key Shift+F9
wait idle
expect text timeline "fold batch norms"
key Alt+PgUp
wait idle
key Alt+Home
wait idle
expect disabled state.previous
key Alt+End
wait idle
expect enabled state.previous
action file.saveAs
set fileNameEdit )" + out +
                      R"(
key Return
wait idle
key Alt+Home
wait idle
expect disabled state.previous
key Alt+End
wait idle)") == 0);
    const RecipeSession& recipe = session.recipe();
    CHECK(recipe.applied() == recipe.items().size());
    CHECK(session.window->parts().tabs->document()->graph() == recipe.shownGraph());
    for (const RecipeSession::Place& place : recipe.places()) {
        REQUIRE(place.status == RecipeSession::Status::Applied);
        const Verdict verdict = recipe.verdicts().of(*place.state);
        INFO(place.state->step.pass << ": " << verdict.why);
        CHECK(verdict.kind == Verdict::Kind::Same);
    }
    // The file that the command line writes for the same recipe.
    const RecipeRun run = runRecipe(recipe.base(), recipeOf(recipe.draft()), recipe.ends().inputs,
                                    recipe.ends().outputs, Job());
    REQUIRE(run.ok());
    CHECK(session.read("out.pb") == encodeGraphDef(*run.result(recipe.base())));
}

TEST_CASE("a state is verified again with the sizes that the interface panel says",
          "[recipe_window]")
{
    const RecipeDesktop session;
    const std::string model = session.path("net.pbtxt");
    std::ofstream(model) << unknownSizes;
    CHECK(session.run("open " + model + R"x(
wait idle
key Ctrl+T
type "remove_nodes(op=Identity)"
wait idle
action recipe.all
wait idle)x") == 0);
    const auto verdict = [&] {
        const RecipeSession& recipe = session.recipe();
        REQUIRE(recipe.places().size() == 1);
        REQUIRE(recipe.places()[0].state != nullptr);
        return recipe.verdicts().of(*recipe.places()[0].state);
    };
    CHECK(verdict().kind == Verdict::Kind::Unknown);
    CHECK(verdict().why.find("which sizes it has") != std::string::npos);
    InterfaceSession& interface = session.window->parts().tabs->document()->interface();
    REQUIRE(interface.choice().inputs.size() == 1);
    ChosenTensor x = interface.choice().inputs.front();
    x.shape = {{2, 5}, false};
    interface.edit(InterfaceSide::Inputs, x);
    CHECK(session.run("wait idle") == 0);
    CHECK(verdict().kind == Verdict::Kind::Same);
}

TEST_CASE("the file that is open is not written over", "[recipe_window]")
{
    const RecipeDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    const std::string before = session.read("net.pb");
    CHECK(session.run("open " + model + R"(
wait idle
action recipe.addPass
type remove_device
key Return
wait idle
key F9
wait idle
action file.saveAs
set fileNameEdit )" + model +
                      R"(
key Return
key Return
wait idle)") == 0);
    CHECK(session.recipe().applied() == 1);
    CHECK(session.read("net.pb") == before);
}

TEST_CASE("text and steps say the same, and a mistake is marked", "[recipe_window]")
{
    const RecipeDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    CHECK(session.run("open " + model + R"x(
wait idle
key Ctrl+T
type "remove_device round_weights(num_stps=4)"
wait idle
expect text recipeFault num_steps
expect text recipeFault "line 1, column 29")x") == 0);
    CHECK(session.recipe().items().size() <= 2);
    QPlainTextEdit* field = session.window->parts().recipes->panel()->text()->field();
    CHECK(field->extraSelections().size() == 1);
    field->setPlainText(QStringLiteral("remove_device\nround_weights(num_steps=4)"));
    CHECK(field->extraSelections().isEmpty());
    REQUIRE(session.recipe().items().size() == 2);
    CHECK(session.run(R"(wait idle
action recipe.text
wait idle
expect text recipeSteps round_weights
action recipe.undo
wait idle
action recipe.redo
wait idle
action recipe.all
wait idle)") == 0);
    CHECK(session.recipe().applied() == 2);
}

TEST_CASE("a step that fails says why and leaves the picture", "[recipe_window]")
{
    const RecipeDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    CHECK(session.run("open " + model + R"(
wait idle
action recipe.addPass
type rename_op
key Return
wait idle
action recipe.all
wait idle
expect visible-nodes > 1)") == 0);
    const std::vector<RecipeRow> rows = recipeRows(session.recipe());
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].status == RecipeRow::Status::Failed);
    CHECK(rows[0].note.contains(QStringLiteral("old_op_name")));
    CHECK(session.window->parts().tabs->document()->graphs().isOriginal());
}

TEST_CASE("a card has no zero below zero", "[recipe_window]")
{
    Verdict verdict;
    verdict.kind = Verdict::Kind::Differs;
    verdict.grade = Grade::Broken;
    verdict.sqnrDb = -0.3;
    CHECK(verdictText(verdict) == QStringLiteral("broken, 0 dB"));
    verdict.sqnrDb = -2.6;
    CHECK(verdictText(verdict) == QStringLiteral("broken, \u22123 dB"));
    CHECK_FALSE(verdictHelp(verdict).contains(QStringLiteral("did not suffice")));
    verdict.isCutShort = true; // a busy machine had no time for all inputs
    CHECK(verdictText(verdict) == QStringLiteral("broken, \u2248\u22123 dB"));
    CHECK(verdictHelp(verdict).contains(QStringLiteral("did not suffice")));
}

TEST_CASE("a step that finds nothing says which pass would", "[recipe_window]")
{
    const RecipeDesktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model +
                        "\nwait idle\naction recipe.addPass\ntype fold_batch_norms\nkey Return\n"
                        "wait idle") == 0);
    const auto* summary = session.window->findChild<QLabel*>(QStringLiteral("stepSummary"));
    REQUIRE(summary != nullptr);
    INFO(summary->text().toStdString());
    CHECK(summary->text().startsWith(QStringLiteral("fold_batch_norms found nothing to change; ")));
    CHECK(summary->text().endsWith(QStringLiteral("fit fold_old_batch_norms")));
}

TEST_CASE("matches of a step are marked on the canvas and counted alike", "[recipe_window]")
{
    const RecipeDesktop session;
    const std::string model = session.write(
        "net.pb", graph("x = Placeholder()\na = Identity(x)\nb = Relu(a)\nc = Identity(b)\n"
                        "y = Relu(c)"));
    CHECK(session.run("open " + model + R"(
wait idle
action view.expandAll
action recipe.addPass
type remove_identity
key Return
wait idle)") == 0);
    const auto matches = [&] {
        const auto& marks = session.window->parts().tabs->canvas()->highlights().state().marks;
        return std::ranges::count_if(marks, [](const auto& mark) { return mark.second.match; });
    };
    const TimelineStatePtr preview = session.recipe().places().front().state;
    REQUIRE(preview);
    CHECK(preview->matches() == 2);
    CHECK(matches() >= 1);
    CHECK(session.run("action recipe.next\nwait idle") == 0);
    CHECK(session.recipe().places().front().state == preview);
    CHECK(session.recipe().base()->size() -
              session.window->parts().tabs->document()->graph()->size() ==
          2);
    CHECK(matches() == 0); // its graph is no longer shown
}

namespace {

const Fact* factWith(const Desktop& desktop, const char* section, const QString& value)
{
    const FactSections& all =
        desktop.window->parts().docks->nodePanel()->facts()->facts().sections();
    for (const FactSection& one : all)
        for (const Fact& fact : one.facts)
            if (one.title == QLatin1String(section) && fact.value.contains(value) &&
                fact.link.kind == FactLink::Kind::State)
                return &fact;
    return nullptr;
}

std::string selectedName(const Desktop& desktop)
{
    const Document& document = *desktop.window->parts().tabs->document();
    return document.selection().item().isNode()
               ? std::string(document.graph()->node(document.selection().item().node()).name())
               : "no node";
}

} // namespace

TEST_CASE("a node is followed to what it became and back, across states", "[recipe_window]")
{
    const RecipeDesktop session;
    const std::string model =
        session.write("net.pb", graph("x = Placeholder()\na = Identity(x)\ntwin = Neg(a)\n"
                                      "also = Neg(a)\nsum = Add(twin, also)\ny = Relu(sum)"));
    CHECK(session.run("open " + model + R"(
wait idle
action recipe.addPass
type remove_identity
key Return
action recipe.addPass
type merge_duplicate_nodes
key Return
wait idle
action recipe.all
wait idle
action state.first
wait idle
action view.expandAll
wait idle
select also
wait idle)") == 0);
    const char* const where = "Went where, and why";
    const bool isMerged = factWith(session, where, QStringLiteral("twin")) != nullptr;
    REQUIRE(session.run(isMerged ? "select also\nwait idle" : "select twin\nwait idle") == 0);
    const QString heir = isMerged ? QStringLiteral("twin") : QStringLiteral("also");
    const Fact* const to = factWith(session, where, heir);
    REQUIRE(to != nullptr);
    REQUIRE(to->link.kind == FactLink::Kind::State);
    CHECK(factWith(session, "Came from", {}) == nullptr); // it is the original

    emit session.window->parts().docks->nodePanel()->linkActivated(FactLink(to->link));
    CHECK(session.run("wait idle") == 0);
    CHECK(session.recipe().shown() == 2);
    CHECK(selectedName(session) == heir.toStdString());

    // One edit does the work of both, and both can be found again.
    for (const char* name : {"twin", "also"}) {
        INFO(name);
        CHECK(session.run("action state.last\nwait idle\nselect " + heir.toStdString() +
                          "\nwait idle") == 0);
        const Fact* const from = factWith(session, "Came from", QString::fromLatin1(name));
        REQUIRE(from != nullptr);
        emit session.window->parts().docks->nodePanel()->linkActivated(FactLink(from->link));
        CHECK(session.run("wait idle") == 0);
        CHECK(session.recipe().shown() < 2);
        CHECK(selectedName(session) == name);
    }
    // Without a recipe there is nothing to follow.
    CHECK(session.run("action recipe.none\nwait idle") == 0);
    CHECK(factWith(session, where, {}) == nullptr);
}
