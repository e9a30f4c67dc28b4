// SPDX-License-Identifier: Apache-2.0
// The settings: the dialog, its immediate effects, and what the next window restores.
#include "app/document/base/remedy.h"
#include "app/window/parts/theme_switch.h"
#include "app/window/settings/settings.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "views/canvas/graph_canvas.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QSpinBox>
#include <QTest>
#include <QWheelEvent>

using namespace lapidary;
using lapidary::testing::Desktop;
using namespace Qt::Literals::StringLiterals;

namespace {

void turnWheel(const GraphCanvas& canvas, Qt::KeyboardModifiers modifiers)
{
    QWidget* view = canvas.viewport();
    const QPointF at = QPointF(view->rect().center());
    QWheelEvent event(at, view->mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view, &event);
}

bool zoomsByWheel(const GraphCanvas& canvas)
{
    const double zoom = canvas.camera().zoom();
    turnWheel(canvas, Qt::NoModifier);
    return canvas.camera().zoom() > zoom;
}

const GraphCanvas& canvasOf(const Desktop& session)
{
    return *session.window->parts().tabs->canvas();
}

// The part of the dialog that has the focus, by its accessible name.
QString focused(const QDialog& dialog)
{
    const QWidget* widget = dialog.focusWidget();
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return button != nullptr ? button->text() : widget->accessibleName();
}

} // namespace

TEST_CASE("the wheel does in every tab what the settings say, at once", "[settings]")
{
    Desktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + "\nwait idle") == 0);
    session.window->show();
    double zoom = canvasOf(session).camera().zoom();
    turnWheel(canvasOf(session), Qt::NoModifier);
    CHECK(canvasOf(session).camera().zoom() == zoom);
    turnWheel(canvasOf(session), Qt::ControlModifier);
    CHECK(canvasOf(session).camera().zoom() > zoom);
    REQUIRE(session.run("setting wheel zoom") == 0);
    session.window->show();
    zoom = canvasOf(session).camera().zoom();
    turnWheel(canvasOf(session), Qt::NoModifier);
    CHECK(canvasOf(session).camera().zoom() > zoom);
    zoom = canvasOf(session).camera().zoom();
    turnWheel(canvasOf(session), Qt::ControlModifier);
    CHECK(canvasOf(session).camera().zoom() == zoom);
    // A tab that was opened later, and a graph in a split view.
    const std::string other = session.write("other.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + other + "\nwait idle\ncompare " + model + "\nwait idle") == 0);
    for (const GraphCanvas* canvas : session.window->findChildren<GraphCanvas*>())
        CHECK(zoomsByWheel(*canvas));
}

TEST_CASE("the settings are reached, read and changed by keys alone", "[settings]")
{
    Desktop session;
    REQUIRE(session.run("key Ctrl+,\nwait idle") == 0);
    session.window->show();
    auto* dialog = session.window->findChild<QDialog*>(u"settingsDialog"_s);
    REQUIRE(dialog != nullptr);
    dialog->activateWindow();
    const Settings& settings = *session.window->parts().settings;
    QStringList seen;
    for (int i = 0; i < 9; ++i) {
        seen.append(focused(*dialog));
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Tab);
    }
    CHECK(seen == QStringList{u"Theme"_s, u"Mouse wheel"_s, u"&Animate moves of the picture"_s,
                              u"Threads"_s, u"Memory limit"_s, u"Time limit"_s, u"Values kept"_s,
                              u"Restore &defaults"_s, u"Close"_s});
    auto* wheel = dialog->findChild<QComboBox*>(u"settingsWheel"_s);
    wheel->setFocus();
    QTest::keyClick(wheel, Qt::Key_Down);
    CHECK(settings.wheel() == WheelAction::Zoom);
    auto* seconds = dialog->findChild<QSpinBox*>(u"settingsSeconds"_s);
    CHECK(seconds->text() == u"None"_s);
    seconds->setFocus();
    QTest::keyClick(seconds, Qt::Key_Up);
    CHECK(settings.limits().seconds == 10);
    CHECK(runLimits().seconds == 10);
    auto* motion = dialog->findChild<QCheckBox*>(u"settingsMotion"_s);
    QTest::keyClick(motion, Qt::Key_Space);
    CHECK_FALSE(settings.isAnimated());
    auto* theme = dialog->findChild<QComboBox*>(u"settingsTheme"_s);
    QTest::keyClick(theme, Qt::Key_End);
    CHECK(session.window->parts().theme->choice() == ThemeChoice::Dark);
    CHECK(session.window->parts().theme->theme().isDark);
    QTest::keyClick(dialog->findChild<QWidget*>(u"settingsReset"_s), Qt::Key_Space);
    CHECK(settings.wheel() == WheelAction::Scroll);
    CHECK(settings.isAnimated());
    CHECK(settings.limits() == RunLimits());
    CHECK(wheel->currentIndex() == 0);
    CHECK(theme->currentIndex() == 0);
    QTest::keyClick(dialog, Qt::Key_Escape);
    CHECK_FALSE(dialog->isVisible());
}

TEST_CASE("the next window has the settings of the one before", "[settings]")
{
    const QTemporaryDir folder;
    const StateStore store(folder.path().toStdString());
    {
        Settings settings(store);
        settings.setWheel(WheelAction::Zoom);
        settings.setAnimated(false);
        settings.setLimits(
            {.threads = 2, .memory = 512'000'000, .seconds = 30, .values = 9'000'000});
    }
    setRunLimits({});
    const Settings settings(store);
    CHECK(settings.wheel() == WheelAction::Zoom);
    CHECK_FALSE(settings.isAnimated());
    CHECK(settings.limits() ==
          RunLimits{.threads = 2, .memory = 512'000'000, .seconds = 30, .values = 9'000'000});
    CHECK(runLimits() == settings.limits());
    GraphCanvas canvas;
    settings.apply(canvas);
    CHECK(zoomsByWheel(canvas));
    CHECK(canvas.camera().isStill());
    setRunLimits({});
    store.setSetting("run_threads", "-3");
    store.setSetting("run_memory", "much");
    CHECK(Settings(store).limits() == RunLimits{.seconds = 30, .values = 9'000'000});
    setRunLimits({});
}

TEST_CASE("a run that meets a limit of the settings says where the limit is", "[settings]")
{
    for (const ErrorReason reason : {ErrorReason::MemoryLimit, ErrorReason::TimeLimit})
        CHECK(messageForWindow({ErrorCode::Unsupported, "it is too large", reason})
                  .find("settings (Ctrl+,)") != std::string::npos);
    Desktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("setting threads 1\nsetting memory 100\nopen " + model + "\nwait idle") ==
            0);
    const RunPlan plan = session.window->parts().tabs->document()->feeds().plan();
    CHECK(plan.session.threads == 1);
    CHECK(plan.session.memoryLimit == 100'000'000);
    CHECK(session.run("setting wheel sideways") == 1);
    CHECK(session.run("setting colour blue") == 1);
    CHECK(session.run("setting threads many") == 1);
}
