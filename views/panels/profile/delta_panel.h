// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/profile_delta.h"
#include "views/panels/base/headed_panel.h"

namespace lapidary {

class DeltaModel;
class SortedTable;

// The differences between a run and one that was kept: where it is slower or faster.
class DeltaPanel : public HeadedPanel {
    Q_OBJECT
public:
    explicit DeltaPanel(QWidget* parent = nullptr);

    void setDelta(const ProfileDeltaPtr& delta); // null: no comparison

signals:
    void nodeSelected(const QString& name); // of the later run

private:
    void setUpTable();
    void fitColumns();

    DeltaModel* m_model;
    SortedTable* m_table;
};

} // namespace lapidary
