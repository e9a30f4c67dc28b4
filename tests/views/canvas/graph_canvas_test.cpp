// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/views/canvas/scene_testing.h"
#include "views/canvas/graph_canvas.h"
#include "views/canvas/minimap.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>
#include <functional>

using namespace lapidary;

namespace {

// Runs the event loop until `done`. The test runner stops a test that waits forever.
void waitFor(const std::function<bool()>& done)
{
    while (!done())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
}

struct Shown {
    GraphCanvas canvas;
    ItemId selected, activated, collapsed, stub, details;

    explicit Shown(ScenePtr scene, QSize size = {900, 700})
    {
        canvas.resize(size);
        canvas.show();
        QApplication::processEvents();
        canvas.setScene(std::move(scene), false);
        canvas.camera().showFirstView();
        QObject::connect(&canvas.highlights(), &CanvasHighlights::selectionChanged,
                         [this](ItemId item) { selected = item; });
        QObject::connect(&canvas, &GraphCanvas::itemActivated,
                         [this](ItemId item) { activated = item; });
        QObject::connect(&canvas, &GraphCanvas::collapseRequested,
                         [this](ItemId item) { collapsed = item; });
        QObject::connect(&canvas, &GraphCanvas::stubActivated,
                         [this](ItemId item) { stub = item; });
        QObject::connect(&canvas, &GraphCanvas::detailsRequested,
                         [this](ItemId item) { details = item; });
    }

    ItemId item(const std::string& title) const
    {
        for (const SceneBox& box : canvas.scene()->boxes)
            if (box.title == title)
                return box.item;
        return {};
    }
    std::string title(ItemId item) const
    {
        const auto box = canvas.scene()->boxOf.find(item);
        return box == canvas.scene()->boxOf.end() ? "" : canvas.scene()->boxes[box->second].title;
    }
    void mouse(QEvent::Type type, QPointF at, Qt::MouseButtons held = Qt::LeftButton)
    {
        const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(type, at, canvas.viewport()->mapToGlobal(at), button, held,
                          Qt::NoModifier);
        QApplication::sendEvent(canvas.viewport(), &event);
    }
    void click(QPointF at)
    {
        mouse(QEvent::MouseButtonPress, at);
        mouse(QEvent::MouseButtonRelease, at, Qt::NoButton);
    }
    void key(int code, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QKeyEvent event(QEvent::KeyPress, code, modifiers);
        QApplication::sendEvent(&canvas, &event);
    }
    void wheel(QPointF at, int notches, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(at, canvas.viewport()->mapToGlobal(at), {}, QPoint(0, 120 * notches),
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas.viewport(), &event);
    }
};

// The residual scene after Backspace: its block is closed.
ScenePtr closedScene()
{
    SceneMaker m;
    const auto image = m.op("image", "", OpFamily::Input, {210, 0, 140, 36});
    const auto stem = m.group("conv1", "", "", {180, 64, 200, 60}, false);
    const auto pool = m.op("pool1", "MaxPool", OpFamily::Pooling, {220, 152, 120, 36});
    const auto block = m.group("block1", "", "", {180, 230, 200, 60}, false);
    m.connect(image, stem);
    m.connect(stem, pool);
    m.connect(pool, block);
    return m.finish();
}

} // namespace

TEST_CASE("a small graph is fitted, centered and fills the view", "[canvas]")
{
    const Shown shown(residualScene(), {900, 900});
    const QRectF drawn = shown.canvas.camera().now().toView(shown.canvas.scene()->bounds);
    CHECK(QRectF(shown.canvas.viewport()->rect()).contains(drawn));
    CHECK(drawn.center().x() == Approx(450).margin(1));
    CHECK(drawn.height() >= 0.6 * 900);
    CHECK_FALSE(shown.canvas.camera().canGoBack());
}

TEST_CASE("a large graph opens at its inputs at a readable size", "[canvas]")
{
    const Shown shown(gridScene(60, 80));
    CHECK(shown.canvas.camera().zoom() * 10.5 >= 8.99);
    const QRectF drawn = shown.canvas.camera().now().toView(shown.canvas.scene()->bounds);
    CHECK(drawn.top() > 0);
    CHECK(drawn.top() < 60);
}

TEST_CASE("a click selects, a click beside clears, a double click activates", "[canvas]")
{
    Shown shown(residualScene());
    const QPointF at = shown.canvas.viewRect(shown.item("pool1")).center();
    shown.click(at);
    CHECK(shown.title(shown.selected) == "pool1");
    shown.mouse(QEvent::MouseButtonDblClick, at);
    CHECK(shown.title(shown.activated) == "pool1");
    shown.click({3, 3});
    CHECK_FALSE(shown.selected.isValid());
}

TEST_CASE("the chevron opens at one click, a stub leads away", "[canvas]")
{
    Shown shown(residualScene());
    const QRectF header = shown.canvas.viewRect(shown.item("block1"));
    shown.click(header.topLeft() + QPointF(10, 10) * shown.canvas.camera().zoom());
    CHECK(shown.title(shown.activated) == "block1");
    const SceneBox& stub = shown.canvas.scene()->boxes.back();
    REQUIRE(stub.kind == BoxKind::Stub);
    shown.click(shown.canvas.camera().now().toView(stub.rect).center());
    CHECK(shown.stub == stub.item);
}

TEST_CASE("dragging pans and does not select", "[canvas]")
{
    Shown shown(residualScene());
    const QPointF before = shown.canvas.viewRect(shown.item("pool1")).center();
    shown.mouse(QEvent::MouseButtonPress, {400, 300});
    shown.mouse(QEvent::MouseMove, {450, 340});
    shown.mouse(QEvent::MouseButtonRelease, {450, 340}, Qt::NoButton);
    const QPointF after = shown.canvas.viewRect(shown.item("pool1")).center();
    CHECK((after - before - QPointF(50, 40)).manhattanLength() < 0.01);
    CHECK_FALSE(shown.selected.isValid());
}

TEST_CASE("the wheel pans, with Ctrl it zooms at the pointer without limits", "[canvas]")
{
    Shown shown(residualScene());
    const QPointF at(300, 200);
    const QPointF under = shown.canvas.camera().now().toScene(at);
    const double zoom = shown.canvas.camera().zoom();
    shown.wheel(at, 3, Qt::ControlModifier);
    CHECK(shown.canvas.camera().zoom() > 1.5 * zoom);
    CHECK((shown.canvas.camera().now().toScene(at) - under).manhattanLength() < 1e-6);
    for (int i = 0; i < 60; ++i)
        shown.wheel(at, -5, Qt::ControlModifier);
    CHECK(shown.canvas.camera().zoom() < 1e-5);
    CHECK(std::isfinite(shown.canvas.camera().now().origin.x()));
    for (int i = 0; i < 90; ++i)
        shown.wheel(at, 5, Qt::ControlModifier);
    CHECK(shown.canvas.camera().zoom() > 1000);
    CHECK_FALSE(shown.canvas.picture().isNull());
}

TEST_CASE("where the wheel zooms, Ctrl and Shift scroll", "[canvas]")
{
    Shown shown(residualScene());
    shown.canvas.setWheelAction(WheelAction::Zoom);
    const QPointF at(300, 200);
    const QPointF under = shown.canvas.camera().now().toScene(at);
    const double zoom = shown.canvas.camera().zoom();
    shown.wheel(at, 3, Qt::NoModifier);
    CHECK(shown.canvas.camera().zoom() > 1.5 * zoom);
    CHECK((shown.canvas.camera().now().toScene(at) - under).manhattanLength() < 1e-6);
    const Camera zoomed = shown.canvas.camera().now();
    shown.wheel(at, -1, Qt::ControlModifier);
    CHECK(shown.canvas.camera().zoom() == zoomed.scale);
    CHECK(shown.canvas.camera().now().origin.y() > zoomed.origin.y());
    shown.wheel(at, -1, Qt::ShiftModifier);
    CHECK(shown.canvas.camera().zoom() == zoomed.scale);
    CHECK(shown.canvas.camera().now().origin.x() > zoomed.origin.x());
}

TEST_CASE("a group that is closed while it is far away comes near enough to be read", "[canvas]")
{
    Shown shown(residualScene());
    shown.wheel({300, 200}, -8, Qt::ControlModifier);
    const double far = shown.canvas.camera().zoom();
    REQUIRE(far < 0.5);
    shown.canvas.setScene(residualScene(), false);
    CHECK(shown.canvas.camera().zoom() == far);
    shown.canvas.setScene(closedScene(), false);
    CHECK(shown.canvas.camera().zoom() >= 0.7);
    const QRectF drawn = shown.canvas.camera().now().toView(shown.canvas.scene()->bounds);
    CHECK(QRectF(shown.canvas.viewport()->rect()).contains(drawn));
}

TEST_CASE("keys walk along edges, siblings and up", "[canvas]")
{
    Shown shown(residualScene());
    shown.canvas.camera().setReducedMotion(true);
    shown.canvas.highlights().setSelected(shown.item("image"));
    shown.key(Qt::Key_Down);
    CHECK(shown.title(shown.selected) == "conv1");
    shown.key(Qt::Key_Down);
    shown.key(Qt::Key_Down);
    CHECK(shown.title(shown.selected).find("Conv2D") != std::string::npos);
    shown.canvas.highlights().setSelected(shown.item("conv1/Conv2D"));
    shown.key(Qt::Key_Left);
    CHECK(shown.title(shown.selected) == "shortcut/Conv2D");
    shown.key(Qt::Key_Space);
    CHECK(shown.title(shown.details) == "shortcut/Conv2D");
    shown.key(Qt::Key_Backspace);
    CHECK(shown.title(shown.collapsed) == "block1");
    shown.key(Qt::Key_Return);
    CHECK(shown.title(shown.activated) == "shortcut/Conv2D");
    shown.canvas.highlights().setSelected(shown.item("conv1/BatchNorm"));
    shown.key(Qt::Key_Up);
    CHECK(shown.title(shown.selected) == "conv1/Conv2D");
    shown.key(Qt::Key_Escape);
    CHECK_FALSE(shown.selected.isValid());
    shown.key(Qt::Key_Down);
    CHECK(shown.selected.isValid());
}

TEST_CASE("the box of an action stays in its position", "[canvas]")
{
    for (const bool still : {true, false}) {
        Shown shown(closedScene());
        shown.canvas.camera().setReducedMotion(still);
        const ItemId block = shown.item("block1");
        const QPointF before = shown.canvas.viewRect(shown.item("pool1")).topLeft();
        // The picture below the acted box changes; the box above has not moved in the scene.
        shown.canvas.setScene(residualScene(), true, shown.item("pool1"));
        CHECK(shown.canvas.isSettled() == still);
        waitFor([&] { return shown.canvas.isSettled(); });
        const QPointF after = shown.canvas.viewRect(shown.item("pool1")).topLeft();
        CHECK((after - before).manhattanLength() < 0.5);
        CHECK(block.isValid());
    }
}

TEST_CASE("opening a scope pushes nothing out of view if there is space", "[canvas]")
{
    const auto scene = [](bool isOpen) {
        SceneMaker maker;
        maker.group("block", "", "", {0, 100, isOpen ? 450.F : 150.F, 200}, isOpen);
        maker.op("beside", "Relu", OpFamily::Activation, {isOpen ? 500.F : 200.F, 100, 240, 36});
        maker.op("below", "Relu", OpFamily::Activation, {0, 2000, 100, 36});
        return maker.finish();
    };
    Shown shown(scene(false));
    shown.canvas.camera().setReducedMotion(true);
    shown.canvas.camera().set({{-400, 0}, 1}, false);
    shown.canvas.setScene(scene(true), false, shown.item("block"));
    const QRectF view(shown.canvas.viewport()->rect());
    CHECK(view.contains(shown.canvas.viewRect(shown.item("beside"))));
    CHECK(view.contains(shown.canvas.viewRect(shown.item("block"))));
}

TEST_CASE("a graph that was in view as a whole stays so in its other states", "[canvas]")
{
    const auto chain = [](int length) {
        SceneMaker maker;
        for (int i = 0; i < length; ++i)
            maker.op("step" + std::to_string(i), "Relu", OpFamily::Activation,
                     {0, float(i) * 100, 240, 36});
        return maker.finish();
    };
    const auto same = [](ItemId item) { return item; };
    Shown shown(chain(4));
    const double before = shown.canvas.camera().zoom();
    const auto isWhole = [&] {
        return QRectF(shown.canvas.viewport()->rect())
            .contains(shown.canvas.camera().now().toView(shown.canvas.scene()->bounds));
    };
    REQUIRE(isWhole());
    shown.canvas.replaceScene(chain(3), {}, same);
    CHECK(isWhole());
    CHECK(shown.canvas.camera().zoom() == before);
    shown.canvas.replaceScene(chain(8), {}, same);
    CHECK(isWhole());
    // If a part of a graph was in view, the same part stays in view.
    shown.canvas.camera().set({{-100, 500}, 1}, false);
    shown.canvas.replaceScene(chain(9), {}, same);
    CHECK(shown.canvas.camera().now() == Camera{{-100, 500}, 1});
}

TEST_CASE("a box that is revealed while the picture moves is in view at the end", "[canvas]")
{
    const auto scene = [](float y) {
        SceneMaker maker;
        maker.op("acted", "Relu", OpFamily::Activation, {0, y, 100, 36});
        maker.op("wanted", "Relu", OpFamily::Activation, {0, 100, 100, 36});
        maker.op("below", "Relu", OpFamily::Activation, {0, 6000, 100, 36});
        return maker.finish();
    };
    Shown shown(scene(20));
    shown.canvas.camera().set({{-200, 0}, 1}, false);
    shown.canvas.setScene(scene(3000), true, shown.item("acted")); // which the camera follows
    shown.canvas.camera().reveal(shown.item("wanted"));
    waitFor([&] { return shown.canvas.isSettled(); });
    CHECK(QRectF(shown.canvas.viewport()->rect())
              .contains(shown.canvas.viewRect(shown.item("wanted"))));
}

TEST_CASE("an animation may be replaced by the next", "[canvas]")
{
    Shown shown(closedScene());
    for (int i = 0; i < 6; ++i) {
        shown.canvas.setScene(i % 2 ? closedScene() : residualScene(), true, shown.item("pool1"));
        QApplication::processEvents();
        shown.canvas.grab();
    }
    waitFor([&] { return shown.canvas.isSettled(); });
    CHECK(shown.canvas.scene()->boxes.size() == closedScene()->boxes.size());
}

TEST_CASE("back and forward return to earlier views", "[canvas]")
{
    Shown shown(gridScene(20, 20));
    shown.canvas.camera().setReducedMotion(true);
    const Camera first = shown.canvas.camera().now();
    CHECK_FALSE(shown.canvas.camera().canGoForward());
    shown.canvas.camera().fitAll();
    const Camera all = shown.canvas.camera().now();
    CHECK_FALSE(first == all);
    shown.canvas.camera().goBack();
    CHECK(shown.canvas.camera().now() == first);
    shown.canvas.camera().goForward();
    CHECK(shown.canvas.camera().now() == all);
    shown.canvas.highlights().setSelected(shown.item("node_399"));
    shown.canvas.camera().fitItem(shown.canvas.highlights().state().selected);
    CHECK(QRectF(shown.canvas.viewport()->rect())
              .contains(shown.canvas.viewRect(shown.item("node_399"))));
}

TEST_CASE("a narrower canvas keeps in the middle what was there", "[canvas]")
{
    Shown shown(gridScene(20, 20));
    shown.canvas.camera().follow({{10, 20}, 0.8});
    const QSize before = shown.canvas.viewport()->size();
    const QPointF middle = shown.canvas.camera().now().toScene(QPointF(before.width() / 2.0, 0));
    shown.canvas.resize(500, 700);
    QApplication::processEvents();
    const double half = shown.canvas.viewport()->width() / 2.0;
    REQUIRE(half < before.width() / 2.0);
    CHECK(shown.canvas.camera().now().toView(middle).x() == Approx(half));
    CHECK(shown.canvas.camera().now().origin.y() == Approx(20));
    CHECK(shown.canvas.camera().now().scale == Approx(0.8));
}

TEST_CASE("a camera that still moves comes to rest where the new size of the view wants it",
          "[canvas]")
{
    Shown shown(gridScene(20, 20));
    shown.canvas.camera().set({{10, 20}, 0.8}, false);
    SECTION("with the same middle")
    {
        shown.canvas.camera().set({{300, 20}, 0.8}, true);
        const QPointF middle =
            shown.canvas.camera().goal().toScene(QPointF(shown.canvas.viewport()->width(), 0) / 2);
        REQUIRE(shown.canvas.camera().isMoving());
        shown.canvas.resize(500, 700);
        waitFor([&] { return shown.canvas.isSettled(); });
        const double half = shown.canvas.viewport()->width() / 2.0;
        CHECK(shown.canvas.camera().now().toView(middle).x() == Approx(half));
    }
    SECTION("with all of the picture")
    {
        shown.canvas.camera().fitAll();
        REQUIRE(shown.canvas.camera().isMoving());
        shown.canvas.resize(500, 700);
        waitFor([&] { return shown.canvas.isSettled(); });
        CHECK(shown.canvas.camera().now() ==
              fitted(shown.canvas.scene()->bounds, shown.canvas.viewport()->size(), 1.5));
    }
}

TEST_CASE("the map shows only while much is out of view", "[canvas]")
{
    Shown shown(gridScene(2, 40));
    const auto* map = shown.canvas.findChild<Minimap*>();
    REQUIRE(map != nullptr);
    shown.canvas.camera().set({{0, 0}, 1}, false);
    CHECK(map->isVisible());
    shown.canvas.camera().fitAll();
    waitFor([&] { return shown.canvas.isSettled(); });
    CHECK_FALSE(map->isVisible());
    const Camera fitted =
        shown.canvas.camera().now(); // a pixel more would hide an edge of the picture
    shown.canvas.camera().set({fitted.origin, fitted.scale * 1.04}, false);
    CHECK_FALSE(map->isVisible());
}

TEST_CASE("the map hides no box", "[canvas]")
{
    Shown shown(gridScene(1, 60));
    const auto* map = shown.canvas.findChild<Minimap*>();
    REQUIRE(map != nullptr);
    const int middle = shown.canvas.viewport()->width() / 2;
    shown.canvas.camera().set({{0, 0}, 1}, false);
    CHECK(map->isVisible());
    CHECK(map->x() > middle);
    shown.canvas.camera().set({{-755, 0}, 1}, false); // the column is below the map
    CHECK(map->isVisible());
    CHECK(map->geometry().right() < middle);
    shown.canvas.camera().set({{-400, 0}, 1}, false); // and stays there as long as it can
    CHECK(map->geometry().right() < middle);

    // The same holds for the header of an open group, in its normal position or at the top of the
    // view.
    SceneMaker maker;
    maker.group("frame", "9 ops", "", {0, 0, 4000, 4000}, true);
    Shown framed(maker.finish());
    const auto* other = framed.canvas.findChild<Minimap*>();
    framed.canvas.camera().set({{-600, -550}, 1}, false);
    CHECK(other->isVisible());
    CHECK(other->geometry().right() < middle);
    framed.canvas.camera().set({{100, 3500}, 1}, false); // there is space only below the header
    CHECK(other->isVisible());
    CHECK(other->y() > 100);

    Shown full(gridScene(20, 20));
    full.canvas.camera().set({{0, 0}, 1}, false);
    CHECK_FALSE(full.canvas.findChild<Minimap*>()->isVisible());
}

TEST_CASE("an empty scene is harmless", "[canvas]")
{
    Shown shown(std::make_shared<const Scene>());
    shown.click({10, 10});
    shown.key(Qt::Key_Down);
    shown.canvas.camera().fitAll();
    shown.canvas.camera().fitItem(shown.canvas.highlights().state().selected);
    shown.wheel({5, 5}, 2, Qt::ControlModifier);
    CHECK_FALSE(shown.canvas.grab().isNull());
}
