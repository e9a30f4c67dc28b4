// SPDX-License-Identifier: Apache-2.0
// The space for the picture, alone and beside others, and texts that fit.
#include "app/window/docks/dock_room.h"
#include "app/window/docks/window_docks.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/document_view.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"
#include "views/panels/breadcrumb_bar.h"
#include "views/panels/diff/comparison_bar.h"
#include "views/panels/diff/pane_caption.h"

#include <QDockWidget>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

using namespace lapidary;
using lapidary::testing::Desktop;
using namespace Qt::Literals::StringLiterals;

namespace {

struct Room : Desktop {
    std::string model = write("net.pb", samples::residualNetwork());

    // The end of a script closes the window.
    void work(const std::string& script) const
    {
        REQUIRE(run(script) == 0);
        window->show();
        QApplication::processEvents();
    }
    void resize(int width, int height) const
    {
        window->resize(width, height);
        for (int i = 0; i < 3; ++i)
            QApplication::processEvents();
    }
    DocumentView* tab() const { return window->parts().tabs->tabView(); }
    double canvasShare() const { return double(tab()->canvas()->width()) / window->width(); }
    // Returns the share of all panes in the window.
    double panesShare() const
    {
        double area = 0;
        const ComparedViews& compared = *tab()->compared();
        for (std::size_t i = 0; i < compared.count(); ++i) {
            const DocumentView* pane = compared.pane(i);
            const QWidget* widget = pane == tab() ? pane->ownPane() : pane;
            area += double(widget->width()) * widget->height();
        }
        return area / (double(window->width()) * window->height());
    }
    const WindowDocks& docks() const { return *window->parts().docks; }
};

} // namespace

TEST_CASE("the picture has its share of the width in windows of every size", "[room]")
{
    const Room room;
    room.work("open " + room.model + "\nwait idle");
    for (const auto& [width, height, share] :
         {std::tuple(1920, 1080, 0.6), std::tuple(1440, 900, 0.6), std::tuple(1280, 800, 0.5),
          std::tuple(1000, 700, 0.5), std::tuple(800, 480, 0.5)}) {
        room.resize(width, height);
        INFO(width << " x " << height);
        CHECK(room.window->width() == width);
        CHECK(room.canvasShare() >= share);
    }
    room.resize(1440, 900);
    room.window->resizeDocks({room.docks().node()}, {240}, Qt::Horizontal);
    QApplication::processEvents();
    const int chosen = room.docks().node()->width();
    room.resize(1500, 900);
    CHECK(room.docks().node()->width() == chosen);
}

TEST_CASE("every table has its tab in view, in a narrow window too", "[room]")
{
    const Room room;
    room.work("open " + room.model + "\nwait idle\naction view.tables\nwait idle");
    room.resize(1280, 800);
    auto* tabs = room.window->findChild<QTabWidget*>(u"tableDock"_s);
    REQUIRE(tabs != nullptr);
    CHECK(tabs->count() >= 13);
    std::size_t groups = 0;
    for (QToolButton* button : tabs->findChildren<QToolButton*>()) {
        if (!button->property("tableGroup").toBool())
            continue;
        ++groups;
        CHECK(button->visibleRegion().boundingRect() == button->rect());
        button->click();
        QApplication::processEvents();
        CHECK(button->isChecked());
        int shown = 0;
        for (int i = 0; i < tabs->count(); ++i) {
            if (!tabs->isTabVisible(i))
                continue;
            ++shown;
            INFO(tabs->tabText(i).toStdString());
            CHECK(tabs->tabBar()->rect().contains(tabs->tabBar()->tabRect(i)));
        }
        CHECK(shown >= 2);
        CHECK(tabs->isTabVisible(tabs->currentIndex()));
    }
    CHECK(groups == 4);
    // The key of a table opens its group, too.
    room.work("action view.values\nwait idle");
    CHECK(tabs->isTabVisible(tabs->currentIndex()));
    CHECK(tabs->currentWidget()->isAncestorOf(room.window->findChild<QWidget*>(u"valuePanel"_s)));
    for (QToolButton* button : tabs->findChildren<QToolButton*>())
        if (button->property("tableGroup").toBool() && button->text() == u"Graph"_s)
            button->click();
    CHECK(tabs->currentWidget()->objectName() != u"valuePanel"_s);
}

TEST_CASE("the axes of a value have space in a narrow window", "[room]")
{
    const Room room;
    room.work("size 1280 800\nopen " + room.model +
              "\nwait idle\nrun stem/Relu\nwait idle\nset valueView Table\nwait idle");
    for (const QString& name : {u"valueSave"_s, u"sliceRows"_s, u"slicePlace0"_s}) {
        const auto* field = room.window->findChild<QWidget*>(name);
        INFO(name.toStdString());
        REQUIRE(field != nullptr);
        CHECK(field->visibleRegion().boundingRect() == field->rect());
    }
}

TEST_CASE("the chosen step of a long recipe is in view", "[room]")
{
    const Room room;
    room.work("size 1280 800\nopen " + room.model +
              "\nwait idle\naction recipe.arm8\nwait idle\naction recipe.all\nwait idle");
    const auto* steps = room.window->findChild<QListView*>(u"recipeSteps"_s);
    REQUIRE(steps != nullptr);
    REQUIRE(steps->currentIndex().row() > 5);
    CHECK(steps->viewport()->rect().contains(steps->visualRect(steps->currentIndex())));
}

TEST_CASE("tables join the window when they are first seen", "[room]")
{
    const Room room;
    room.work("open " + room.model + "\nwait idle");
    CHECK(room.window->findChild<QWidget*>(u"deltaTable"_s) == nullptr);
    room.work("action view.twoRuns\nwait idle");
    const auto* table = room.window->findChild<QWidget*>(u"deltaTable"_s);
    REQUIRE(table != nullptr);
    CHECK(table->isVisible());
    CHECK(room.window->findChild<QWidget*>(u"lensTable"_s) == nullptr);
}

TEST_CASE("tables take a third of the window at most", "[room]")
{
    const Room room;
    room.work("open " + room.model + "\nwait idle");
    room.resize(1440, 1200);
    room.work("action view.tables\nwait idle");
    room.window->resizeDocks({room.docks().tables()}, {500}, Qt::Vertical);
    room.resize(1440, 900);
    CHECK(room.docks().tables()->height() <= 300);
}

TEST_CASE("tables can be as low as a few rows, whatever they show", "[room]")
{
    const Room room;
    room.work("open " + room.model + "\nwait idle");
    room.resize(1280, 800);
    for (const char* action : {"view.tables", "view.profile", "view.target"}) {
        room.work(std::string("action ") + action + "\nwait idle");
        room.resize(1280, 800);
        room.window->resizeDocks({room.docks().tables()}, {140}, Qt::Vertical);
        room.resize(1280, 799);
        INFO(action);
        CHECK(room.docks().tables()->height() <= 160);
    }
}

TEST_CASE("compared graphs have two thirds of the window, and panels come back", "[room]")
{
    const Room room;
    room.work("open " + room.model + "\nwait idle");
    for (const auto& [width, height] : {std::pair(1280, 800), std::pair(1440, 900)}) {
        room.resize(width, height);
        const int node = room.docks().node()->width();
        const int outline = room.docks().outline()->height();
        for (std::size_t panes = 2; panes <= ComparedViews::mostPanes; ++panes) {
            room.window->parts().comparison->withFile(QString::fromStdString(room.model),
                                                      panes > 2);
            room.work("wait idle");
            INFO(width << " x " << height << ", " << panes << " panes");
            CHECK(room.tab()->compared()->count() == panes);
            CHECK(room.panesShare() >= 0.65);
        }
        CHECK(room.docks().node()->isHidden());
        room.work("action graph.endCompare\nwait idle");
        CHECK(!room.docks().node()->isHidden());
        CHECK(!room.docks().interface()->isHidden());
        CHECK(room.docks().tables()->isHidden());
        CHECK(std::abs(room.docks().node()->width() - node) <= 2);
        CHECK(std::abs(room.docks().outline()->height() - outline) <= 2);
    }
}

TEST_CASE("graphs of any size begin whole where they are compared", "[room]")
{
    // A wide graph and a high one, whose inputs and outputs have the same names.
    const auto network = [](int wide, int high) {
        std::string text = "x = Placeholder()\n";
        std::string at = "x";
        for (int i = 0; i < high; ++i) {
            const std::string name = "op" + std::to_string(i);
            text += name + (i % 2 == 0 ? " = Relu(" : " = Add(x, ") + at + ")\n";
            at = name;
        }
        std::string all;
        for (int i = 0; i < wide; ++i) {
            const std::string name = "side" + std::to_string(i);
            text += name + (i % 2 == 0 ? " = Tanh(" : " = Neg(") + at + ")\n";
            all += (all.empty() ? "" : ", ") + name;
        }
        return graph(text + "y = AddN(" + (wide > 0 ? all : at) + ")\n");
    };
    const Room room;
    room.resize(1280, 800);
    const std::string wide = room.write("wide.pb", network(6, 2));
    const std::string high = room.write("high.pb", network(0, 9));
    for (const auto& [first, second] : {std::pair(wide, high), std::pair(high, wide)}) {
        room.work("open " + first + "\nwait idle\ncompare " + second + "\nwait idle");
        room.resize(1280, 800);
        const ComparedViews& compared = *room.tab()->compared();
        REQUIRE(compared.count() == 2);
        for (std::size_t i = 0; i < 2; ++i) {
            const GraphCanvas* canvas = compared.pane(i)->canvas();
            const Rect& all = canvas->scene()->bounds;
            const QRectF shown = canvas->camera().now().sceneArea(canvas->viewport()->size());
            INFO(first << ", pane " << i);
            CHECK(shown.contains(QRectF(all.x, all.y, all.w, all.h)));
        }
        CHECK(compared.pane(0)->canvas()->camera().zoom() ==
              Approx(compared.pane(1)->canvas()->camera().zoom()));
    }
}

TEST_CASE("a pane counts changes as the line above the graphs does", "[room]")
{
    const auto chain = [](const char* op) {
        std::string text = "x = Placeholder()\n";
        std::string at = "x";
        for (int i = 0; i < 150; ++i) {
            const std::string name = "part" + std::to_string(i / 10) + "/n" + std::to_string(i);
            text += name + " = " + op + "(" + at + ")\n";
            at = name;
        }
        return graph(text);
    };
    const Room room;
    const std::string relu = room.write("relu.pb", chain("Relu"));
    const std::string tanh = room.write("tanh.pb", chain("Tanh"));
    room.work("open " + relu + "\nwait idle\ncompare " + tanh + "\nwait idle");
    const ComparedViews& compared = *room.tab()->compared();
    const DifferenceListPtr list = compared.session().list();
    REQUIRE((list && list->isLong()));
    CHECK(compared.pane(1)->caption()->remark() ==
          counted(std::int64_t(list->story.changes.size()), u"change"_s));
}

TEST_CASE("panels give way in the tab that compares, not in another one", "[room]")
{
    const Room room;
    const std::string other = room.write("other.pb", samples::residualNetwork());
    room.work("open " + room.model + "\nwait idle\nopen " + other + "\nwait idle\ncompare " +
              room.model + "\nwait idle");
    CHECK(room.docks().outline()->isHidden());
    room.work("action view.previousTab\nwait idle");
    CHECK(!room.docks().outline()->isHidden());
    room.work("action view.nextTab\nwait idle");
    CHECK(room.docks().outline()->isHidden());
    room.work("action file.close\nwait idle");
    CHECK(!room.docks().outline()->isHidden());
}

TEST_CASE("the line above compared graphs says what differs and leads through it", "[room]")
{
    const Room room;
    const std::string before = room.write("a.pb", graph("x = Placeholder()\ny = Relu(x)"));
    const std::string after =
        room.write("b.pb", graph("x = Placeholder()\nz = Abs(x)\ny = Relu6(z)"));
    room.work("open " + before + "\nwait idle\ncompare " + after + "\nwait idle");
    const ComparisonBar* bar = room.tab()->comparisonBar();
    const auto* summary = bar->findChild<QLabel*>(u"differenceSummary"_s);
    const auto* count = bar->findChild<QLabel*>(u"differenceCount"_s);
    REQUIRE(summary != nullptr);
    CHECK(summary->isVisible());
    CHECK(!summary->text().isEmpty());
    CHECK(count->text().endsWith(u"differences"_s));
    room.work("press nextDifference\nwait idle");
    CHECK(count->text().startsWith(u"1 of "_s));
    CHECK(room.docks().tables()->isHidden());
    room.work("press listDifferences\nwait idle");
    CHECK(!room.docks().tables()->isHidden());
    CHECK(room.window->findChild<QWidget*>(u"differenceTable"_s)->isVisible());
    room.work("press listDifferences\nwait idle");
    CHECK(room.docks().tables()->isHidden());
    room.work("press endCompare\nwait idle");
    CHECK(room.tab()->compared() == nullptr);
    CHECK(!summary->isVisible());
}

TEST_CASE("a name in the bar above the picture is whole if there is space", "[room]")
{
    const Room room;
    const std::string longName = "events.out.tfevents.1496749144.a-machine-of-our-lab.pb";
    const std::string model = room.write(longName.c_str(), samples::residualNetwork());
    room.resize(1280, 800);
    room.work("open " + model + "\nwait idle\nselect block1/unit1\nwait idle");
    const auto texts = [&] {
        QStringList texts;
        for (const QToolButton* button :
             room.tab()->findChild<BreadcrumbBar*>()->findChildren<QToolButton*>())
            if (button->isVisible())
                texts.append(button->text());
        return texts;
    };
    CHECK(texts() == QStringList{QString::fromStdString(longName), u"block1"_s, u"unit1"_s});
    room.resize(700, 600);
    const QStringList narrow = texts();
    REQUIRE(narrow.size() == 3);
    CHECK(narrow[0].contains(QChar(0x2026)));
    CHECK(narrow[2] == u"unit1"_s);
    room.resize(1280, 800);
    CHECK(texts()[0] == QString::fromStdString(longName));
}

TEST_CASE("a file that cannot be opened says all of it, and what to do is a button", "[room]")
{
    const Room room;
    const std::string path = room.path("pointer.pb");
    REQUIRE(writeFileAtomically(path, "version https://git-lfs.github.com/spec/v1\n"
                                      "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258da\n"
                                      "size 12345\n")
                .ok());
    room.resize(800, 600);
    room.work("open " + path + "\nwait idle");
    const auto* message = room.tab()->findChild<QLabel*>(u"message"_s);
    REQUIRE(message->isVisible());
    CHECK(message->text().contains(u"git lfs pull"_s));
    CHECK(message->height() >= message->heightForWidth(message->width()));
    for (const char* name : {"openAnother", "tryAgain"}) {
        const auto* button = room.tab()->findChild<QPushButton*>(QString::fromUtf8(name));
        REQUIRE(button != nullptr);
        CHECK(button->width() >= button->sizeHint().width());
    }
    REQUIRE(writeFileAtomically(path, encodeGraphDef(*samples::residualNetwork())).ok());
    room.work("press tryAgain\nwait idle");
    CHECK(room.tab()->document().graph() != nullptr);
    CHECK(!message->isVisible());
}

TEST_CASE("buttons of the panels are whole in the smallest window", "[room]")
{
    const Room room;
    room.resize(800, 480);
    room.work("open " + room.model + "\nwait idle");
    room.resize(800, 481);
    for (const QPushButton* button : room.window->findChildren<QPushButton*>()) {
        if (!button->isVisible())
            continue;
        INFO(button->objectName().toStdString());
        CHECK(button->width() >= button->sizeHint().width());
    }
}

TEST_CASE("search and colors stay in the toolbar of the smallest window", "[room]")
{
    const Room room;
    room.work("open " + room.model + "\nwait idle");
    for (const int width : {800, 1280}) {
        room.resize(width, 480);
        for (const char* name : {"colorChoice", "searchField"}) {
            const auto* widget = room.window->findChild<QWidget*>(QString::fromUtf8(name));
            INFO(width << " " << name);
            REQUIRE(widget != nullptr);
            CHECK(widget->isVisible());
            CHECK(widget->mapTo(room.window.get(), QPoint(widget->width(), 0)).x() <= width);
            CHECK(widget->width() >= std::min(180, widget->sizeHint().width()));
        }
    }
}

TEST_CASE("a scope that is marked says why it cannot be", "[room]")
{
    const Room room;
    room.work("open " + room.model + "\nwait idle\nselect block1\naction view.focusCanvas\nkey O");
    CHECK(room.window->statusBar()->currentMessage().contains(u"open it (Enter)"_s));
    CHECK(room.tab()->document().interface().choice().outputs.size() == 1);
}

TEST_CASE("a first picture is laid out for the space that it has", "[room]")
{
    const Room room;
    room.resize(1440, 900);
    room.work("size 1440 900\nopen " + room.model + "\nwait idle");
    const double aspect = room.tab()->document().picture().look().aspect;
    const QSize canvas = room.tab()->canvas()->size();
    CHECK(aspect == Approx(double(canvas.width()) / canvas.height()).epsilon(0.15));
}
