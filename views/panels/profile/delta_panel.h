// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/profile_delta.h"

#include <QWidget>

class QSortFilterProxyModel;

namespace lapidary {

class DeltaModel;
class PanelHead;
class PanelTable;

// Where a run is slower or faster than one that was kept.
class DeltaPanel : public QWidget {
    Q_OBJECT
public:
    explicit DeltaPanel(QWidget* parent = nullptr);

    void setDelta(const ProfileDeltaPtr& delta); // null: nothing is compared
    void setRemark(const QString& text);

signals:
    void nodeSelected(const QString& name); // of the later run
    void actionRequested(const char* id);

private:
    void buildTable();

    DeltaModel* m_model;
    QSortFilterProxyModel* m_sorted;
    PanelTable* m_table = nullptr;
    PanelHead* m_head;
};

} // namespace lapidary
