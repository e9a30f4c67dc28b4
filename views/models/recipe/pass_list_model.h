// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace lapidary {

// The passes whose name, summary or parameters contain every word of the filter. Passes whose name
// begins with it come first.
class PassListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum DataRole { SummaryRole = Qt::UserRole + 1 };
    explicit PassListModel(QObject* parent = nullptr);

    void setFilter(const QString& filter);
    const Pass& pass(int row) const { return *m_passes[std::size_t(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<const Pass*> m_passes;
};

// Returns name, summary and every parameter with type, default and meaning, as lines of plain text.
QString passHelp(const Pass& pass);

} // namespace lapidary
