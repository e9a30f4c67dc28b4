// SPDX-License-Identifier: Apache-2.0
// Everything that cannot be done at the moment says why, and what to do first: actions, controls of
// panels, keys and the palette.
#include "app/actions/conditions.h"
#include "app/window/action_tables.h"
#include "app/window/docks/window_docks.h"
#include "tests/app/window/run_desk.h"
#include "tests/shared_data.h"
#include "views/canvas/graph_canvas.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/command_palette.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QStatusBar>
#include <QToolButton>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::RunDesk;

namespace {

bool isControl(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QLineEdit*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
}

// Returns the reason shown by the control, or by the disabled part of the window that contains it.
QString reasonOf(const QWidget& control)
{
    for (const QWidget* at = &control; at != nullptr; at = at->parentWidget())
        if (const QString why = obstacleOf(*at); !why.isEmpty())
            return why;
    return {};
}

struct ObstacleDesk : RunDesk {
    ActionSet& actions() const { return *window->parts().actions; }
    QString message() const { return window->statusBar()->currentMessage(); }
    void work(const std::string& script) const
    {
        REQUIRE(run(script) == 0);
        window->show();
        QApplication::processEvents();
    }
    void checkActions() const
    {
        actions().refresh();
        for (const ActionSpec* spec : actions().specs()) {
            INFO(spec->id);
            const QString why = actions().obstacle(spec->id);
            CHECK(why.isEmpty() == actions().isEnabled(spec->id));
            CHECK(actions().action(spec->id)->toolTip().contains(why));
            CHECK(!why.endsWith(u'.'));
        }
    }
    void checkControls() const
    {
        for (const QWidget* widget : window->findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QToolButton*>(widget);
            const bool isOfAction = button != nullptr && button->defaultAction() != nullptr;
            if (!isControl(*widget) || !widget->isVisible() || widget->isEnabled() || isOfAction ||
                widget->objectName().startsWith(u"qt_"_s) ||
                widget->objectName().startsWith(u"Scroll"_s))
                continue;
            INFO(widget->metaObject()->className()
                 << " " << widget->objectName().toStdString() << " in "
                 << widget->parentWidget()->objectName().toStdString());
            CHECK(!reasonOf(*widget).isEmpty());
        }
    }
};

constexpr const char* panels[] = {
    "view.tables",      "view.run",     "view.values",  "view.pictures", "view.twoRuns",
    "view.sensitivity", "view.data",    "view.notes",   "graph.target",  "recipe.autopilot",
    "recipe.findings",  "view.profile", "recipe.panel", "lens.compare",
};

} // namespace

TEST_CASE("an action that can be disabled has a reason in its row", "[actions][obstacle]")
{
    for (const std::span<const ActionSpec> table : actionTables())
        for (const ActionSpec& spec : table) {
            INFO(spec.id);
            // Rows with these conditions need no words of their own: the window lacks a tab, a
            // graph or a picture.
            const bool isUsual = spec.isEnabled == nullptr || spec.isEnabled == hasTab ||
                                 spec.isEnabled == hasGraph || spec.isEnabled == hasScene;
            CHECK((isUsual || !spec.needs.empty() || spec.obstacle != nullptr));
        }
}

TEST_CASE("every disabled action says why, in each state of the window", "[window][obstacle]")
{
    const ObstacleDesk desk;
    desk.checkActions();
    CHECK(desk.actions().obstacle("graph.profile") == u"Open a model first (Ctrl+O)"_s);
    const std::string caller = (sharedData() / "models/real/serving_half_plus_two_tf2").string();
    for (const std::string& script :
         {desk.opened(""), std::string("select net\nwait idle\n"),
          std::string("expand net\nwait idle\nselect net/relu\nwait idle\n"),
          std::string("action recipe.addPass\ntype quantize_nodes\nkey Return\nwait idle\n"),
          std::string("action recipe.all\nwait idle\naction graph.comparePrevious\nwait idle\n"),
          std::string("action graph.otherSide\nwait idle\n"),
          "open \"" + caller + "\"\nwait idle\n"}) {
        INFO(script);
        desk.work(script);
        desk.checkActions();
    }
    CHECK(desk.actions().obstacle("view.nextTab").isEmpty());
    CHECK(desk.actions().obstacle("graph.compareTab").isEmpty());
    CHECK(desk.actions().obstacle("graph.cancel") == u"Nothing is running"_s);
}

TEST_CASE("every disabled control of the panels says why", "[window][obstacle]")
{
    const ObstacleDesk desk;
    desk.work(desk.opened(""));
    for (const std::string& script :
         {std::string(), std::string("expand net\nwait idle\nselect net/relu\nwait idle\n"),
          std::string("action recipe.addPass\ntype quantize_nodes\nkey Return\nwait idle\n")})
        for (const char* panel : panels) {
            desk.work(script);
            desk.actions().run(panel);
            QApplication::processEvents();
            INFO(panel);
            desk.checkControls();
        }
}

TEST_CASE("a control gets its own tip back when it can be used", "[obstacle]")
{
    QPushButton button;
    button.setToolTip(u"Runs it"_s);
    setObstacle(button, u"Choose something first"_s);
    setObstacle(button, u"Choose another one first"_s);
    CHECK(!button.isEnabled());
    CHECK(button.toolTip() == u"Choose another one first"_s);
    CHECK(button.accessibleDescription() == u"Choose another one first"_s);
    setObstacle(button, {});
    CHECK(button.isEnabled());
    CHECK(button.toolTip() == u"Runs it"_s);
    CHECK(obstacleOf(button).isEmpty());
}

TEST_CASE("a key that does nothing says why", "[window][obstacle]")
{
    const ObstacleDesk desk;
    desk.work(desk.opened("key F12\n"));
    CHECK(desk.message().startsWith(u"Next finding: "_s));
    desk.work("key Ctrl+G\nkey Z\n");
    CHECK(desk.message() ==
          u"Next worst layer: Measure the sensitivity of layers first (Shift+Z)"_s);
    // A letter typed into another widget is not a key of the canvas.
    desk.window->statusBar()->clearMessage();
    desk.work("action view.outline\naction view.outline\nkey Ctrl+F\nkey Z\n");
    CHECK(desk.message().isEmpty());
}

TEST_CASE("a button whose action cannot be run says why", "[window][obstacle]")
{
    const ObstacleDesk desk;
    desk.work(desk.opened("action view.sensitivity\nwait idle\npress sensitivityNext\n"));
    CHECK(desk.message() ==
          u"Next worst layer: Measure the sensitivity of layers first (Shift+Z)"_s);
}

TEST_CASE("the palette says why an action cannot be chosen", "[window][obstacle]")
{
    const ObstacleDesk desk;
    desk.work(desk.opened("key Ctrl+Shift+P\ntype \"next worst\"\n"));
    const auto* list = desk.window->findChild<QListView*>(u"paletteList"_s);
    REQUIRE(list != nullptr);
    const QModelIndex first = list->model()->index(0, 0);
    CHECK(first.data().toString() == u"Next worst layer"_s);
    CHECK(first.data(Qt::AccessibleTextRole).toString() ==
          u"Next worst layer, Z, Measure the sensitivity of layers first (Shift+Z)"_s);
}
