// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMimeData>
#include <QString>
#include <QStringList>

namespace lapidary {

// Nodes that are dragged from a list or the canvas to a panel: their names, one per line, in UTF-8.
inline QString nodeMimeType()
{
    return QStringLiteral("application/x-lapidary-node-names");
}
QMimeData* nodeMimeData(const QStringList& names);
QStringList namesFromMime(const QMimeData& data);

} // namespace lapidary
