// SPDX-License-Identifier: Apache-2.0
#include "app/script/event_sender.h"

#include <QApplication>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QUrl>
#include <QWheelEvent>
#include <QWidget>
#include <QWindow>

// The functions by which QtTest itself fills the window system's queue; exported by QtGui, declared
// nowhere. NOLINTBEGIN(readability-identifier-naming): the names are Qt's
Q_GUI_EXPORT void qt_handleKeyEvent(QWindow* window, QEvent::Type type, int key,
                                    Qt::KeyboardModifiers modifiers, const QString& text,
                                    bool autorepeat, ushort count);
Q_GUI_EXPORT void qt_handleMouseEvent(QWindow* window, const QPointF& local, const QPointF& global,
                                      Qt::MouseButtons state, Qt::MouseButton button,
                                      QEvent::Type type, Qt::KeyboardModifiers modifiers,
                                      int timestamp);
// NOLINTEND(readability-identifier-naming)

namespace lapidary::events {

namespace {

constexpr int dragSteps = 8;

// Makes a window active at once: activateWindow() only asks the window system, which may refuse.
void makeActive(QWidget* window)
{
    if (QApplication::activeWindow() == window)
        return;
    QT_WARNING_PUSH
    QT_WARNING_DISABLE_DEPRECATED
    QApplication::setActiveWindow(window);
    QT_WARNING_POP
}

QWindow* keyWindow(QWidget* fallback)
{
    if (QWidget* popup = QApplication::activePopupWidget())
        return popup->windowHandle();
    // A dialog that was just shown gets the keys, even if the window system has not reported it
    // yet.
    if (QWidget* dialog = QApplication::activeModalWidget(); dialog && dialog->isVisible()) {
        makeActive(dialog);
        return dialog->windowHandle();
    }
    if (QWindow* window = QGuiApplication::focusWindow(); window && window->isVisible())
        return window;
    // No window has the focus, for example because a dialog was closed and no window manager gave
    // it back; keys of the menus work only in the active window.
    makeActive(fallback->window());
    return fallback->window()->windowHandle();
}

void press(QWindow* window, int key, Qt::KeyboardModifiers modifiers, const QString& text)
{
    qt_handleKeyEvent(window, QEvent::KeyPress, key, modifiers, text, false, 1);
    qt_handleKeyEvent(window, QEvent::KeyRelease, key, modifiers, text, false, 1);
}

int timestamp()
{
    static int now = 1000; // far enough apart that two clicks are never a double click
    return now += 1000;
}

struct MouseEvent {
    QEvent::Type type = QEvent::MouseMove;
    Qt::MouseButtons held; // after the event
    Qt::MouseButton button = Qt::NoButton;
    Qt::KeyboardModifiers modifiers;
};

MouseEvent moved(Qt::KeyboardModifiers modifiers = {}, Qt::MouseButtons held = {})
{
    return {QEvent::MouseMove, held, Qt::NoButton, modifiers};
}

MouseEvent pressed(Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {})
{
    return {QEvent::MouseButtonPress, button, button, modifiers};
}

MouseEvent released(Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {})
{
    return {QEvent::MouseButtonRelease, Qt::NoButton, button, modifiers};
}

void mouse(QWidget* widget, QPoint at, const MouseEvent& event, int time)
{
    QWidget* window = widget->window();
    const QPointF local = widget->mapTo(window, at);
    qt_handleMouseEvent(window->windowHandle(), local, window->mapToGlobal(local), event.held,
                        event.button, event.type, event.modifiers, time);
}

} // namespace

void key(QWidget* fallback, QKeyCombination combination)
{
    QString text;
    const int code = combination.key();
    const Qt::KeyboardModifiers modifiers = combination.keyboardModifiers();
    const bool isPlain = (modifiers & ~Qt::ShiftModifier) == Qt::NoModifier;
    if (isPlain && code >= 0x20 && code < 0x7F)
        text = QChar(code);
    if (code >= Qt::Key_A && code <= Qt::Key_Z && !(modifiers & Qt::ShiftModifier))
        text = text.toLower();
    press(keyWindow(fallback), code, modifiers, text);
}

void type(QWidget* fallback, const QString& text)
{
    for (const QChar c : text)
        press(keyWindow(fallback), c.toUpper().unicode(),
              c.isUpper() ? Qt::ShiftModifier : Qt::NoModifier, c);
}

void click(QWidget* widget, QPoint at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    const int time = timestamp();
    mouse(widget, at, moved(modifiers), time);
    mouse(widget, at, pressed(button, modifiers), time + 1);
    mouse(widget, at, released(button, modifiers), time + 2);
}

void doubleClick(QWidget* widget, QPoint at)
{
    const int time = timestamp();
    for (const int after : {0, 50}) {
        mouse(widget, at, pressed(Qt::LeftButton), time + after);
        mouse(widget, at, released(Qt::LeftButton), time + after + 10);
    }
}

void move(QWidget* widget, QPoint at)
{
    mouse(widget, at, moved(), timestamp());
}

void drag(QWidget* from, QPoint start, QWidget* to, QPoint end, Qt::KeyboardModifiers modifiers)
{
    const int time = timestamp();
    QWidget* window = from->window();
    const QPoint a = from->mapTo(window, start);
    const QPoint b = to->mapTo(window, end);
    mouse(window, a, moved(), time);
    mouse(window, a, pressed(Qt::LeftButton, modifiers), time + 1);
    for (int i = 1; i <= dragSteps; ++i)
        mouse(window, a + (b - a) * i / dragSteps, moved(modifiers, Qt::LeftButton), time + 1 + i);
    mouse(window, b, released(Qt::LeftButton, modifiers), time + dragSteps + 2);
}

void wheel(QWidget* widget, QPoint at, int notches, Qt::KeyboardModifiers modifiers)
{
    constexpr int notch = 120;
    for (int i = 0; i < std::abs(notches); ++i)
        QCoreApplication::postEvent(
            widget, new QWheelEvent(at, widget->mapToGlobal(QPointF(at)), QPoint(),
                                    QPoint(0, notches > 0 ? notch : -notch), Qt::NoButton,
                                    modifiers, Qt::NoScrollPhase, false));
}

void dropFile(QWidget* window, QPoint at, const QString& path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &enter);
    if (!enter.isAccepted())
        return;
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &drop);
}

} // namespace lapidary::events
