// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/plain_tool_bar.h"

#include <QMainWindow>
#include <QToolBar>

namespace lapidary {

QToolBar* plainToolBar(QMainWindow* window, const QString& name, const QString& title)
{
    auto* bar = new QToolBar(title, window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(20, 20));
    window->addToolBar(bar);
    return bar;
}

} // namespace lapidary
