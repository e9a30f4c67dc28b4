// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_set.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/window_parts.h"

namespace lapidary {

// Adds a panel to the tables below the canvas, which take ownership of it. Its buttons run the
// actions of the window that they name. `tip`: a description of the table, with its key.
template <class Panel>
void addTablePanel(const WindowParts& parts, Panel* panel, TableGroup group, const QString& title,
                   const QString& tip)
{
    parts.docks->addTable(panel, group, title, tip);
    QObject::connect(panel, &Panel::actionRequested, panel,
                     [&parts](const char* id) { parts.actions->run(id); });
}

} // namespace lapidary
