// SPDX-License-Identifier: Apache-2.0
#include "app/document/diff/diff_session.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/document_view.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/shared_data.h"
#include "views/canvas/graph_canvas.h"
#include "views/panels/recipe/timeline_bar.h"

#include <QContextMenuEvent>
#include <QMenu>

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

// A network with two applied steps: `first` folds batch norms, `last` rounds the remaining weights.
struct TwoSteps : Desktop {
    explicit TwoSteps(const std::string& more = "")
    {
        const std::string model = write("net.pb", samples::residualNetwork());
        REQUIRE(run("open " + model + R"(
wait idle
action recipe.addPass
type fold_batch_norms
key Return
wait idle
action recipe.addPass
type round_weights
key Return
wait idle
key Shift+F9
wait idle
)" + more) == 0);
    }
    ComparedViews* compared() const { return window->parts().tabs->tabView()->compared(); }
    GraphPtr state(std::size_t items) const
    {
        return items == 0 ? recipe().base() : recipe().places()[items - 1].state->graph();
    }
    RecipeSession& recipe() const { return window->parts().tabs->tabView()->document().recipe(); }
};

} // namespace

TEST_CASE("the state that is shown is compared with the original", "[compare_states]")
{
    const TwoSteps session("key Ctrl+Shift+K\nwait idle");
    REQUIRE(session.compared() != nullptr);
    const DiffSession& diff = session.compared()->session();
    CHECK(diff.before().graph() == session.state(0));
    CHECK(diff.after().graph() == session.state(2));
    CHECK(&diff.after() == &session.window->parts().tabs->tabView()->document());
    CHECK(session.compared()->active() == session.window->parts().tabs->tabView());
    CHECK(session.compared()->guestName() == u"original");
    REQUIRE(diff.list());
    CHECK(!diff.list()->steps.empty());
    // The reference is on the left.
    CHECK(session.compared()->guest()->mapToGlobal(QPoint()).x() <
          session.window->parts().tabs->tabView()->canvas()->mapToGlobal(QPoint()).x());
}

TEST_CASE("a state of a graph that calls its network is compared call by call", "[compare_states]")
{
    const Desktop session;
    const std::string model = (sharedData() / "models/real/serving_half_plus_two_tf2").string();
    REQUIRE(session.run("open \"" + model + "\"" + R"(
wait idle
action recipe.addPass
type remove_device
key Return
wait idle
key Shift+F9
wait idle
action graph.compareOriginal
wait idle)") == 0);
    const ComparedViews* compared = session.window->parts().tabs->tabView()->compared();
    REQUIRE(compared != nullptr);
    CHECK(compared->session().before().graph() ==
          session.window->parts().tabs->tabView()->document().recipe().base());
}

TEST_CASE("going along the timeline goes on comparing", "[compare_states]")
{
    const TwoSteps session(R"(key Ctrl+Shift+K
wait idle
key Alt+PgUp
wait idle)");
    REQUIRE(session.compared() != nullptr);
    const DiffSession& diff = session.compared()->session();
    CHECK(diff.before().graph() == session.state(0));
    CHECK(diff.after().graph() == session.state(1));
    REQUIRE(diff.list());
    CHECK(diff.list()->after == session.state(1));
    CHECK(session.run("key Alt+Home\nwait idle") == 0);
    REQUIRE(diff.list());
    CHECK(diff.list()->steps.empty()); // the original beside itself
}

TEST_CASE("the last step alone is compared with the state before it", "[compare_states]")
{
    const TwoSteps session("key Alt+K\nwait idle");
    REQUIRE(session.compared() != nullptr);
    CHECK(session.compared()->session().before().graph() == session.state(1));
    // Another comparison replaces the first one, at the same size.
    CHECK(session.run("key Ctrl+Shift+K\nwait idle") == 0);
    CHECK(session.compared()->session().before().graph() == session.state(0));
    CHECK(std::abs(session.compared()->guest()->width() -
                   session.window->parts().tabs->tabView()->canvas()->width()) < 10);
    CHECK(session.run("action graph.endCompare\nwait idle") == 0);
    CHECK(session.compared() == nullptr);
    CHECK(session.window->parts().tabs->document()->graph() == session.state(2));
    CHECK(session.run("action state.first\nwait idle\nexpect disabled graph.comparePrevious\n"
                      "expect disabled graph.compareOriginal") == 0);
}

TEST_CASE("the compared graph is not edited, and the recipe stays the tab's", "[compare_states]")
{
    const TwoSteps session(R"(key Ctrl+Shift+K
wait idle
action graph.otherSide
select head/predictions
wait idle
expect disabled node.delete
key Ctrl+Z
wait idle)");
    REQUIRE(session.compared() != nullptr);
    CHECK(session.compared()->active() == session.compared()->guest());
    CHECK(session.recipe().applied() == 0); // undo removed the applied steps
    CHECK(session.compared()->guest()->document().recipe().items().empty());
}

TEST_CASE("the menu of a later state compares with it, at the right", "[compare_states]")
{
    const TwoSteps session("key Alt+Home\nwait idle");
    TimelineBar* timeline = session.window->parts().recipes->timeline();
    QListView* list = timeline->list();
    REQUIRE(timeline->shown() == 0);
    const QPoint at = list->visualRect(list->model()->index(2, 0)).center();
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, list->viewport()->mapToGlobal(at));
    QApplication::sendEvent(list->viewport(), &asked);
    QMenu* menu = timeline->findChild<QMenu*>(QString(), Qt::FindDirectChildrenOnly);
    REQUIRE(menu != nullptr);
    menu->actions().at(1)->trigger();
    menu->close();
    CHECK(session.run("wait idle") == 0);
    REQUIRE(session.compared() != nullptr);
    CHECK(session.compared()->session().before().graph() == session.state(0));
    CHECK(session.compared()->session().after().graph() == session.state(2));
    CHECK(&session.compared()->session().before() ==
          &session.window->parts().tabs->tabView()->document());
}
