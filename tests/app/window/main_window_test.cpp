// SPDX-License-Identifier: Apache-2.0
#include "app/actions/action_set.h"
#include "app/script/expectations.h"
#include "app/script/script_driver.h"
#include "app/window/base/sample_pictures.h"
#include "app/window/docks/window_docks.h"
#include "app/window/main_window.h"
#include "app/window/parts/status_line.h"
#include "app/window/view/document_view.h"
#include "graph_model/write/write_model.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/canvas/graph_canvas.h"
#include "views/panels/command_palette.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QStatusBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cstdlib>
#include <sstream>
#include <tuple>

using namespace lapidary;
using lapidary::testing::Desktop;
using namespace Qt::Literals::StringLiterals;

namespace {

bool needsName(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QLineEdit*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractItemView*>(&widget) != nullptr;
}

bool hasName(const QWidget& widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return !widget.accessibleName().isEmpty() ||
           (button != nullptr && !button->text().isEmpty() &&
            button->text() != QStringLiteral("\u00D7")) ||
           widget.objectName().startsWith(QStringLiteral("qt_"));
}

} // namespace

TEST_CASE("every control of the window has a name for screen readers", "[window]")
{
    Desktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    CHECK(session.run("open " + model + "\nwait idle\naction view.tables\nwait idle") == 0);
    session.window->parts().opener->open(QString::fromStdString(model));
    auto* tables = session.window->findChild<QTabWidget*>(QStringLiteral("tableDock"));
    REQUIRE(tables != nullptr);
    for (int i = 0; i < tables->count(); ++i)
        tables->setCurrentIndex(i); // a table joins the window when it is first shown
    session.window->show();
    for (const char* const action :
         {"view.run", "view.values", "view.pictures", "view.twoRuns", "view.sensitivity",
          "view.data", "view.notes", "graph.target", "recipe.autopilot", "recipe.findings",
          "view.profile", "edit.settings", "graph.device", "file.exportDevice"}) {
        session.window->parts().actions->run(action);
        QApplication::processEvents();
    }
    CHECK(session.window->findChild<QDialog*>(QStringLiteral("deviceDialog")) != nullptr);
    CHECK(session.window->findChild<QDialog*>(QStringLiteral("exportDialog")) != nullptr);
    for (const QWidget* widget : session.window->findChildren<QWidget*>()) {
        if (!needsName(*widget) || qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr ||
            qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
            widget->parentWidget()->inherits("QComboBoxPrivateContainer") ||
            widget->inherits("QTableCornerButton") || widget->inherits("QHeaderView"))
            continue;
        INFO(widget->metaObject()->className()
             << " " << widget->objectName().toStdString() << " in "
             << widget->parentWidget()->objectName().toStdString());
        CHECK(hasName(*widget));
    }
}

TEST_CASE("the panels are as high as they were when the last file is closed and one opened",
          "[window]")
{
    Desktop session;
    session.window->resize(1400, 900);
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + "\nwait idle") == 0);
    WindowDocks& docks = *session.window->parts().docks;
    CHECK(docks.interface()->height() > docks.outline()->height());
    session.window->show(); // the end of a script closes it
    session.window->resizeDocks({docks.outline(), docks.interface()}, {450, 250}, Qt::Vertical);
    QApplication::processEvents();
    const int outline = docks.outline()->height();
    REQUIRE(outline > docks.interface()->height());
    REQUIRE(session.run("action file.close\nwait idle\nexpect tabs 0\nopen " + model +
                        "\nwait idle") == 0);
    CHECK(std::abs(docks.outline()->height() - outline) <= 30);
}

TEST_CASE("a first picture follows the shape of its window until the user acts", "[window]")
{
    std::string text = "x = Placeholder()\n";
    std::string last = "x";
    for (char part = 'a'; part < 's'; ++part) {
        const std::string scope = std::string("part") + part;
        text +=
            scope + "/mul = MatMul(" + last + ")\n" + scope + "/act = Tanh(" + scope + "/mul)\n";
        last = scope + "/act";
    }
    const GraphPtr network = graph(text);
    // Returns the size of the picture and its zoom after some lines of script.
    const auto shown = [&](const std::string& before, const std::string& after) {
        const Desktop session;
        const std::string model = session.write("net.pb", network);
        REQUIRE(session.run("size " + before + "\nopen " + model + "\nwait idle\n" + after +
                            "\nwait idle") == 0);
        const DocumentView* view = session.window->parts().tabs->tabView();
        const Rect& bounds = view->document().picture().scene()->bounds;
        return std::tuple(bounds.w, bounds.h, view->canvas()->camera().zoom());
    };
    const auto wide = shown("1800 700", "");
    const auto high = shown("1000 1500", "");
    CHECK(std::get<0>(high) < std::get<0>(wide));
    const auto widened = shown("1000 1500", "size 1800 700"); // panels keep other widths
    CHECK(std::get<0>(widened) >= std::get<0>(wide));
    CHECK(std::get<2>(widened) > 0.9 * std::get<2>(wide));
    const auto heightened = shown("1800 700", "size 1000 1500");
    CHECK(std::get<0>(heightened) <= std::get<0>(high));
    CHECK(std::get<2>(heightened) > 0.9 * std::get<2>(high));
    const auto moved = shown("1000 1500", "action view.zoomIn\nwait idle\nsize 1800 700");
    CHECK(std::get<0>(moved) == std::get<0>(high));
}

TEST_CASE("who looks at all of a picture still does when sizes become known", "[window]")
{
    std::string text = "x = Placeholder()\n";
    for (char part = 'a'; part < 'g'; ++part)
        text += std::string(1, part) + " = Relu(" + (part == 'a' ? 'x' : char(part - 1)) + ")\n";
    const Desktop session;
    REQUIRE(session.run("size 1200 800\nopen " + session.write("net.pb", graph(text)) +
                        "\nwait idle") == 0);
    const DocumentView* view = session.window->parts().tabs->tabView();
    Picture& picture = view->document().picture();
    const Rect before = picture.scene()->bounds;
    const auto giveSize = [&](std::int64_t size) {
        ShapeOptions shapes;
        shapes.given.emplace_back(Endpoint{picture.graph()->find("x"), 0},
                                  Shape{.dims = {size, size, size, size}});
        picture.giveShapes(shapes);
        REQUIRE(session.run("wait idle") == 0);
    };
    giveSize(1'000'000);
    CHECK(picture.scene()->bounds.w != before.w); // labels have appeared
    CHECK(view->canvas()->camera().isAtFirstView());
    // After a user has zoomed, the scale stays.
    REQUIRE(session.run("action view.zoomIn\nwait idle") == 0);
    const double chosen = view->canvas()->camera().zoom();
    giveSize(7);
    CHECK(view->canvas()->camera().zoom() == chosen);
}

TEST_CASE("a tab that is shown later is fitted then", "[window]")
{
    Desktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    const std::string other = session.write("other.pb", samples::residualNetwork());
    // Both files load at the same time: the first picture of the first one arrives while it is
    // hidden.
    REQUIRE(session.run("open " + model + "\nopen " + other + "\nwait idle\n" +
                        "action view.previousTab\nwait idle") == 0);
    const GraphCanvas* shown = session.window->parts().tabs->views()[0]->canvas();
    const GraphCanvas* fitted = session.window->parts().tabs->views()[1]->canvas();
    REQUIRE(shown->size() == fitted->size());
    CHECK(shown->camera().now() == fitted->camera().now());
}

TEST_CASE("the values of variables are not lost without a question", "[window]")
{
    Desktop session;
    const std::string model =
        session.write("net.pb", graph("x = Placeholder()\nw = VariableV2()\ny = Add(x, w)"));
    const std::string copy = session.path("copy.pb");
    CHECK(session.run("open " + model + "\nwait idle\naction file.saveAs\n" +
                      "press \"Save without values\"\nset fileNameEdit " + copy +
                      "\nkey Return\nwait idle") == 0);
    CHECK(std::filesystem::exists(copy));
    const std::string plain = session.write("plain.pb", graph("x = Placeholder()\ny = Relu(x)"));
    const std::string next = session.path("next.pb");
    CHECK(session.run("open " + plain + "\nwait idle\naction file.saveAs\nset fileNameEdit " +
                      next + "\nkey Return\nwait idle") == 0);
    CHECK(std::filesystem::exists(next));
}

TEST_CASE("a notice takes the place of the counts", "[window]")
{
    Desktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + "\nwait idle") == 0);
    session.window->show();
    const auto* counts = session.window->findChild<QWidget*>(u"counts"_s);
    REQUIRE(counts != nullptr);
    session.window->parts().status->keepNotice(u"The program did not end as it should"_s);
    REQUIRE(session.run("wait idle") == 0);
    CHECK(counts->isHidden());
    session.window->statusBar()->clearMessage();
    session.window->show();
    REQUIRE(session.run("wait idle") == 0);
    CHECK(!counts->isHidden());
}

TEST_CASE("the palette reaches every action by its label", "[window]")
{
    Desktop session;
    const auto entries = session.window->parts().actions->paletteEntries();
    CHECK(entries.size() == session.window->parts().actions->specs().size());
    for (const PaletteEntry& entry : entries) {
        const auto found = matchingEntries(entries, entry.label);
        CHECK(std::any_of(found.begin(), found.end(),
                          [&](const PaletteEntry& other) { return other.id == entry.id; }));
    }
    CHECK(matchingEntries(entries, QStringLiteral("no such thing")).empty());
}

TEST_CASE("a session by keys alone", "[window]")
{
    Desktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    CHECK(session.run("open " + model + R"(
wait idle
expect tabs 1
key Ctrl+Shift+Right
wait idle
expect visible-nodes > 40
key Ctrl+Shift+Left
wait idle
expect visible-nodes < 40
key Ctrl+F
type op:relu
wait idle
expect hits > 1
key Return
key Escape
wait idle
key I
wait idle
key O
wait idle
key K
wait idle
expect text interfaceTree Relu
key Ctrl+Shift+P
type "left to right"
key Return
wait idle
key Shift+F
wait idle
key Ctrl+W
wait idle
expect tabs 0)") == 0);
}

TEST_CASE("a failed expectation and an unknown command end with 1", "[window]")
{
    {
        Desktop session;
        CHECK(session.run("expect tabs 3") == 1);
    }
    {
        Desktop session;
        CHECK(session.run("dance") == 1);
    }
    {
        Desktop session;
        CHECK(session.run("expect enabled no.such") == 1);
    }
}

TEST_CASE("the broken sample opens with its problem list", "[window]")
{
    Desktop session;
    const std::string model = session.write("broken.pb", samples::brokenGraph());
    CHECK(session.run("open " + model + R"(
wait idle
expect problems > 3
action graph.nextProblem
wait idle
press statusProblems
expect text problemTable Error
theme dark
theme light
size 900 600
wait idle)") == 0);
}

TEST_CASE("a graph without nodes says so", "[window]")
{
    Desktop session;
    const std::string model = session.write("empty.pbtxt", samples::residualNetwork());
    REQUIRE(writeFileAtomically(model, "versions { producer: 134 }").ok());
    CHECK(session.run("open " + model + "\nwait idle") == 0);
    CHECK(session.window->parts().tabs->canvas()->emptyText() ==
          QStringLiteral("This graph has no nodes"));
}

TEST_CASE("hidden nodes leave a sentence", "[window]")
{
    Desktop session;
    const std::string model = session.write("net.pb", graph("x = NoOp()"));
    CHECK(session.run("open " + model + "\nwait idle") == 0);
    CHECK(session.window->parts().tabs->canvas()->emptyText().isEmpty());
    CHECK(session.run("select x\naction graph.hideSelected\nwait idle") == 0);
    CHECK(session.window->parts().tabs->canvas()->emptyText().contains(QStringLiteral("hidden")));
    CHECK(session.run("action graph.showHidden\nwait idle") == 0);
    CHECK(session.window->parts().tabs->canvas()->emptyText().isEmpty());
}

TEST_CASE("a file that cannot be shown says what to do", "[window]")
{
    Desktop desktop;
    const std::string file = desktop.path("nothing.pb");
    REQUIRE(writeFileAtomically(file, std::string()).ok());
    CHECK(desktop.run("open " + file +
                      "\nwait idle\n"
                      "expect text message \"nothing.pb is empty; copy or download it again\"") ==
          0);
}

TEST_CASE("a notice replaces the text of the status bar", "[window]")
{
    Desktop desktop;
    const std::string file = desktop.write("a.pb", graph("x = Placeholder()\ny = Relu(x)"));
    CHECK(desktop.run("open " + file + "\nwait idle\nselect y\nwait idle") == 0);
    const auto* problems = desktop.window->findChild<QToolButton*>(u"statusProblems"_s);
    REQUIRE(problems != nullptr);
    CHECK(!problems->isHidden());
    CHECK(desktop.run("select y\naction edit.copyTransformFlags\nselect x\nwait idle") == 0);
    CHECK(!desktop.window->statusBar()->currentMessage().isEmpty());
    CHECK(problems->isHidden());
    desktop.window->statusBar()->clearMessage();
    CHECK(desktop.run("wait idle") == 0);
    CHECK(!problems->isHidden());
}

TEST_CASE("the status bar counts problems as the outline does", "[window]")
{
    Desktop desktop;
    const std::string file = desktop.write("broken.pb", samples::brokenGraph());
    CHECK(desktop.run("open " + file + "\nwait idle") == 0);
    const auto* inBar = desktop.window->findChild<QToolButton*>(u"statusProblems"_s);
    const auto* inOutline = desktop.window->findChild<QPushButton*>(u"problemCount"_s);
    REQUIRE((inBar != nullptr && inOutline != nullptr));
    CHECK(inBar->text().contains(u"error"_s));
    CHECK((inBar->text() + u" \u2026"_s).toStdString() == inOutline->text().toStdString());
}

TEST_CASE("samples have small pictures", "[window]")
{
    Desktop session;
    const QString model =
        QString::fromStdString(session.write("net.pb", samples::residualNetwork()));
    const QString none = session.folder.filePath(QStringLiteral("none.pb"));
    SamplePictures pictures(session.pools.layout);
    pictures.request({none, model});
    REQUIRE(QTest::qWaitFor([&] { return !pictures.isBusy(); }, 60'000));
    CHECK(pictures.picture(none, false).isNull());
    const QImage light = pictures.picture(model, false);
    CHECK(light.size() == QSize(384, 240));
    CHECK(light.pixelColor(0, 0) != pictures.picture(model, true).pixelColor(0, 0));
}

TEST_CASE("a graph is run, colored and read off the table by keys alone", "[window]")
{
    Desktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    CHECK(session.run("open " + model + R"(
wait idle
key F5
wait idle
expect text profileTable Conv2D
expect enabled view.colorTime
key Ctrl+6
wait idle
key Ctrl+7
wait idle
set profileFilter relu
wait idle
set profileFilter ""
set profileBy "By op type"
wait idle
expect text profileTypes Conv2D
set profileBy "Timeline"
wait idle
expect text profileTimeline "critical path"
set profileBy "By node"
wait idle)") == 0);
    Document* document = session.window->parts().tabs->document();
    REQUIRE(document->profile().sums());
    auto* table = session.window->findChild<QAbstractItemView*>(QStringLiteral("profileTable"));
    REQUIRE(table != nullptr);
    table->setCurrentIndex(table->model()->index(0, 0)); // the slowest
    CHECK(document->selection().item().isNode());
    const QString slowest = table->model()->index(0, 1).data().toString();
    CHECK(document->graph()->node(document->selection().item().node()).name() ==
          slowest.toStdString());
    document->selection().select(ItemId::of(document->profile().sums()->nodeOf(3)));
    REQUIRE(table->selectionModel()->selectedRows(1).size() == 1);
    CHECK(table->selectionModel()->selectedRows(1).front().data().toString().toStdString() ==
          document->profile().profile()->nodes[3].name);
}
