// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/views/canvas/scene_testing.h"
#include "views/canvas/canvas_accessible.h"
#include "views/canvas/graph_canvas.h"

#include <QAccessible>
#include <QApplication>

#include <vector>

using namespace lapidary;

namespace {

std::vector<QString> names(QAccessibleInterface& canvas)
{
    std::vector<QString> all;
    for (int i = 0; i < canvas.childCount(); ++i)
        all.push_back(canvas.child(i)->text(QAccessible::Name));
    return all;
}

bool has(const std::vector<QString>& all, const QString& name)
{
    return std::find(all.begin(), all.end(), name) != all.end();
}

} // namespace

TEST_CASE("visible boxes are named children of the canvas", "[canvas]")
{
    installCanvasAccessibility();
    GraphCanvas canvas;
    canvas.resize(900, 1000);
    canvas.show();
    canvas.setScene(residualScene(), false);
    canvas.camera().showFirstView();
    auto* root = QAccessible::queryAccessibleInterface(&canvas);
    REQUIRE(root);
    const auto all = names(*root);
    CHECK(
        has(all, QStringLiteral("image, 1\u00D7224\u00D7224\u00D73, 1\u00D7224\u00D7224\u00D73")));
    CHECK(has(all, QStringLiteral("conv1/BatchNorm, FusedBatchNorm")));
    for (int i = 0; i < root->childCount(); ++i) {
        QAccessibleInterface* child = root->child(i);
        CHECK(child->isValid());
        CHECK(root->indexOfChild(child) == i);
        CHECK(child->parent() == root);
        CHECK(canvas.rect().translated(canvas.mapToGlobal(QPoint())).intersects(child->rect()));
    }
}

TEST_CASE("an item out of sight is not a child", "[canvas]")
{
    installCanvasAccessibility();
    GraphCanvas canvas;
    canvas.resize(500, 400);
    canvas.show();
    canvas.setScene(gridScene(50, 50), false);
    canvas.camera().showFirstView();
    auto* root = QAccessible::queryAccessibleInterface(&canvas);
    REQUIRE(root);
    CHECK(root->childCount() > 3);
    CHECK(root->childCount() < 60);
    const QString first = root->child(0)->text(QAccessible::Name);
    canvas.camera().set({QPointF(5000, 2000), 1.0}, false);
    CHECK(root->child(0)->text(QAccessible::Name) != first);
}

TEST_CASE("a child is selected and opened by its actions", "[canvas]")
{
    installCanvasAccessibility();
    GraphCanvas canvas;
    canvas.resize(900, 1000);
    canvas.show();
    canvas.setScene(residualScene(), false);
    canvas.camera().showFirstView();
    ItemId opened;
    QObject::connect(&canvas, &GraphCanvas::itemActivated, [&](ItemId item) { opened = item; });
    auto* root = QAccessible::queryAccessibleInterface(&canvas);
    QAccessibleInterface* child = root->child(1);
    QAccessibleActionInterface* action = child->actionInterface();
    REQUIRE(action);
    action->doAction(QAccessibleActionInterface::setFocusAction());
    CHECK(child->state().selected);
    CHECK(root->focusChild() == child);
    action->doAction(QAccessibleActionInterface::pressAction());
    CHECK(opened == canvas.highlights().state().selected);
    canvas.setScene(gridScene(2, 2), false);
    CHECK(root->childCount() == 4);
    canvas.setScene(std::make_shared<const Scene>(), false);
    CHECK(root->childCount() == 0);
}

TEST_CASE("who knows the graph describes the boxes", "[canvas]")
{
    installCanvasAccessibility();
    GraphCanvas canvas;
    canvas.resize(400, 300);
    canvas.show();
    canvas.setScene(gridScene(1, 1), false);
    canvas.setDescribe([](ItemId) { return QStringLiteral("scope/node_0, Relu, 1\u00D72"); });
    auto* root = QAccessible::queryAccessibleInterface(&canvas);
    REQUIRE(root->childCount() == 1);
    CHECK(root->child(0)->text(QAccessible::Name) ==
          QStringLiteral("scope/node_0, Relu, 1\u00D72"));
}
