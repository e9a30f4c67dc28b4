#pragma once

#include <QMimeData>
#include <QString>
#include <QStringList>

namespace lapidary {

// Nodes on their way from a list or the canvas to a panel: their names, one a line, UTF-8.
inline QString nodeMimeType()
{
    return QStringLiteral("application/x-lapidary-node-names");
}
QMimeData* nodeMimeData(const QStringList& names);
QStringList namesFromMime(const QMimeData& data);

} // namespace lapidary
