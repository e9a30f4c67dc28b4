// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/recipe_controller.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/document_view.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/canvas/graph_canvas.h"
#include "views/panels/diff/pane_caption.h"
#include "views/panels/recipe/timeline_bar.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QToolButton>

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

// Three states of a network: the original, with weights in 8 bits, sorted; the last one is shown.
struct ThreeStates : Desktop {
    std::string model;

    explicit ThreeStates(const std::string& more)
    {
        model = write("net.pb", samples::residualNetwork());
        REQUIRE(run("open " + model + R"(
wait idle
action recipe.addPass
type quantize_weights
key Return
wait idle
action recipe.addPass
type sort_by_execution_order
key Return
wait idle
key Shift+F9
wait idle
)" + more) == 0);
    }
    DocumentView* tab() const { return window->parts().tabs->tabView(); }
    ComparedViews* compared() const { return tab()->compared(); }
    GraphPtr state(std::size_t items) const
    {
        RecipeSession& recipe = tab()->document().recipe();
        return items == 0 ? recipe.base() : recipe.places()[items - 1].state->graph();
    }
    GraphPtr graphOf(std::size_t pane) const { return compared()->pane(pane)->document().graph(); }
    std::string selectedIn(std::size_t pane) const
    {
        const Document& document = compared()->pane(pane)->document();
        const ItemId item = document.selection().item();
        return item.isValid() && item.isNode()
                   ? std::string(document.graph()->node(item.node()).name())
                   : std::string();
    }
};

constexpr auto threePanes = R"(key Ctrl+Shift+K
wait idle
action graph.compareAddState
key Return
wait idle)";

} // namespace

TEST_CASE("a third state comes between the original and the one that is shown", "[several_states]")
{
    const ThreeStates session(threePanes);
    REQUIRE(session.compared() != nullptr);
    REQUIRE(session.compared()->count() == 3);
    CHECK(session.graphOf(0) == session.state(0));
    CHECK(session.graphOf(1) == session.state(1));
    CHECK(session.graphOf(2) == session.state(2));
    CHECK(session.compared()->pane(2) == session.tab());
    CHECK(session.compared()->pane(0)->caption()->remark() == u"reference");
    CHECK(session.compared()->pane(1)->caption()->name() == u"quantize weights");
    CHECK(session.compared()->pane(1)->caption()->remark().endsWith(u" changes"));
    CHECK(!session.compared()->pane(1)->caption()->isHidden());
    CHECK(session.run("expect disabled graph.compareAddState\n"
                      "expect enabled graph.compareAdd\nexpect disabled graph.closePane") == 0);
    // All panes have the same size, side by side.
    for (std::size_t i = 0; i < 2; ++i) {
        const GraphCanvas* left = session.compared()->pane(i)->canvas();
        const GraphCanvas* right = session.compared()->pane(i + 1)->canvas();
        CHECK(left->mapToGlobal(QPoint()).x() < right->mapToGlobal(QPoint()).x());
        CHECK(left->mapToGlobal(QPoint()).y() == right->mapToGlobal(QPoint()).y());
        CHECK(std::abs(left->width() - right->width()) < 4);
    }
}

TEST_CASE("the list belongs to the pane that is acted on", "[several_states]")
{
    const ThreeStates session(threePanes);
    REQUIRE(session.compared()->count() == 3);
    CHECK(session.compared()->session().after().graph() == session.state(2));
    emit session.compared()->pane(1)->caption()->chosen();
    CHECK(session.compared()->active() == session.compared()->pane(1));
    CHECK(session.window->parts().tabs->document()->graph() == session.state(1));
    CHECK(session.compared()->session().after().graph() == session.state(1));
    CHECK(session.compared()->session().before().graph() == session.state(0));
    // The reference has no differences of its own, so the previous ones stay.
    emit session.compared()->pane(0)->caption()->chosen();
    CHECK(session.compared()->active() == session.compared()->pane(0));
    CHECK(session.compared()->session().after().graph() == session.state(1));
    CHECK(session.run("action graph.otherSide\naction graph.otherSide\nwait idle") == 0);
    CHECK(session.compared()->active() == session.tab());
    CHECK(session.compared()->session().after().graph() == session.state(2));
}

TEST_CASE("there is one selection and one camera for all panes", "[several_states]")
{
    const ThreeStates session(threePanes);
    REQUIRE(session.compared()->count() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        session.compared()->setActive(session.compared()->pane(i));
        CHECK(session.run("action view.fitAll\nwait idle\nselect head/predictions\n"
                          "action view.fitSelection\nwait idle") == 0);
        const double scale = session.compared()->pane(i)->canvas()->camera().now().scale;
        for (std::size_t j = 0; j < 3; ++j) {
            CHECK(session.selectedIn(j) == "head/predictions");
            CHECK(session.compared()->pane(j)->canvas()->camera().now().scale == Approx(scale));
        }
    }
}

TEST_CASE("a node that a step added is selected with what it was made of", "[several_states]")
{
    const ThreeStates session(threePanes);
    REQUIRE(session.compared()->count() == 3);
    const std::string suffix = "_quantized_const";
    std::string added;
    for (const NodePtr& node : session.state(2)->nodes())
        if (node->name().ends_with(suffix))
            added = std::string(node->name());
    REQUIRE(!added.empty());
    CHECK(session.run("select " + added + "\nwait idle") == 0);
    CHECK(session.selectedIn(2) == added);
    CHECK(session.selectedIn(1) == added);
    CHECK(session.selectedIn(0) + suffix == added);
}

TEST_CASE("a node that a step removed is selected with what carries on its work",
          "[several_states]")
{
    const Desktop session;
    const std::string model =
        session.write("net.pb", graph("x = Placeholder()\na = Tanh(x)\nb = Identity(a)\n"
                                      "y = Relu(b)"));
    REQUIRE(session.run("open " + model + R"x(
wait idle
key Ctrl+T
type "remove_nodes(op=Identity)"
wait idle
action recipe.all
wait idle
key Ctrl+Shift+K
wait idle
action graph.otherSide
select b
wait idle)x") == 0);
    const ComparedViews& compared = *session.window->parts().tabs->tabView()->compared();
    const Document& left = compared.pane(0)->document();
    const Document& right = compared.pane(1)->document();
    REQUIRE(left.selection().item().isNode());
    CHECK(left.graph()->node(left.selection().item().node()).name() == "b");
    REQUIRE(right.selection().item().isValid());
    CHECK(right.graph()->node(right.selection().item().node()).name() == "a");
}

TEST_CASE("four panes are two rows; a pane closes and the others stay", "[several_states]")
{
    const ThreeStates session(threePanes);
    session.window->show(); // the end of a script hid it, and nothing hidden is laid out
    session.window->parts().comparison->withFile(QString::fromStdString(session.model), true);
    CHECK(session.run("wait idle\nexpect disabled graph.compareAdd") == 0);
    ComparedViews* compared = session.compared();
    REQUIRE(compared->count() == 4);
    CHECK(compared->isFull());
    const auto place = [&](std::size_t pane) {
        return compared->pane(pane)->canvas()->mapToGlobal(QPoint());
    };
    CHECK(place(0).y() == place(1).y());
    CHECK(place(2).y() == place(3).y());
    CHECK(place(0).y() < place(2).y());
    CHECK(place(0).x() == place(2).x());
    CHECK(place(1).x() == place(3).x());
    // A fifth state is refused.
    session.window->parts().comparison->withFile(QString::fromStdString(session.model), true);
    CHECK(compared->count() == 4);

    // When the reference is closed, the next state becomes the reference.
    compared->pane(0)->caption()->findChild<QToolButton*>(QStringLiteral("paneClose"))->click();
    CHECK(session.run("wait idle") == 0);
    REQUIRE(session.compared() == compared);
    REQUIRE(compared->count() == 3);
    CHECK(session.graphOf(0) == session.state(1));
    CHECK(compared->pane(0)->caption()->remark() == u"reference");
    for (std::size_t i = 1; i < 3; ++i)
        CHECK(compared->pane(i)->caption()->remark() != u"reference");
    CHECK(compared->session().before().graph() == session.state(1));

    CHECK(session.run("action graph.otherSide\naction graph.closePane\nwait idle") == 0);
    REQUIRE(session.compared() == compared);
    CHECK(compared->count() == 2);
    CHECK(compared->pane(0)->caption()->isHidden());
    CHECK(!session.tab()->isCaptioned());
    CHECK(session.run("action graph.endCompare\nwait idle") == 0);
    CHECK(session.compared() == nullptr);
    CHECK(session.window->parts().tabs->document()->graph() == session.state(2));
}

TEST_CASE("going along the timeline goes on comparing all of them", "[several_states]")
{
    const ThreeStates session(std::string(threePanes) + "\nkey Alt+PgUp\nwait idle");
    REQUIRE(session.compared()->count() == 3);
    CHECK(session.graphOf(2) == session.state(1));
    CHECK(session.compared()->pane(2)->caption()->name() == u"quantize weights");
    CHECK(session.compared()->pane(1)->caption()->remark() ==
          session.compared()->pane(2)->caption()->remark());
}

TEST_CASE("the menu of a card adds its state to a comparison", "[several_states]")
{
    const ThreeStates session("");
    TimelineBar* timeline = session.window->parts().recipes->timeline();
    QListView* list = timeline->list();
    const auto menuAction = [&](int card) {
        const QPoint at = list->visualRect(list->model()->index(card, 0)).center();
        QContextMenuEvent asked(QContextMenuEvent::Mouse, at, list->viewport()->mapToGlobal(at));
        QApplication::sendEvent(list->viewport(), &asked);
        QMenu* menu = timeline->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly).last();
        QAction* add = menu->actions().at(2);
        const bool isEnabled = add->isEnabled();
        add->trigger();
        menu->close();
        REQUIRE(session.run("wait idle") == 0);
        return isEnabled;
    };
    CHECK(!menuAction(1)); // nothing is compared yet
    CHECK(session.compared() == nullptr);
    CHECK(session.run("action graph.compareOriginal\nwait idle") == 0);
    REQUIRE(session.compared() != nullptr);
    CHECK(!menuAction(0)); // is there already
    CHECK(menuAction(1));
    REQUIRE(session.compared()->count() == 3);
    CHECK(session.graphOf(1) == session.state(1));
}
