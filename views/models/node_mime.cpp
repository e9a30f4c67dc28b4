// SPDX-License-Identifier: Apache-2.0
#include "views/models/node_mime.h"

namespace lapidary {

QMimeData* nodeMimeData(const QStringList& names)
{
    auto* data = new QMimeData; // owned by the drag that takes it
    const QString text = names.join(u'\n');
    data->setData(nodeMimeType(), text.toUtf8());
    data->setText(text);
    return data;
}

QStringList namesFromMime(const QMimeData& data)
{
    return QString::fromUtf8(data.data(nodeMimeType())).split(u'\n', Qt::SkipEmptyParts);
}

} // namespace lapidary
