// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QPoint>
#include <QString>

class QWidget;

namespace lapidary {

// Send mouse and key events as the window system would: they wait in Qt's event queue and go
// through focus, shortcuts and grabs like real ones.
namespace events {

// Sends a key to the active window; if there is none, to the window of `fallback`.
void key(QWidget* fallback, QKeyCombination combination);
void type(QWidget* fallback, const QString& text);
void click(QWidget* widget, QPoint at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
void doubleClick(QWidget* widget, QPoint at);
void move(QWidget* widget, QPoint at);
void drag(QWidget* from, QPoint start, QWidget* to, QPoint end,
          Qt::KeyboardModifiers modifiers = {});
void wheel(QWidget* widget, QPoint at, int notches, Qt::KeyboardModifiers modifiers);
void dropFile(QWidget* window, QPoint at, const QString& path);

} // namespace events

} // namespace lapidary
