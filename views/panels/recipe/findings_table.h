// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/recipe/finding_model.h"
#include "views/panels/base/table_panels.h"

namespace lapidary {

// The nodes that the current step rewrites, and those that it leaves unchanged, with the reason.
class FindingsTable : public PanelTable {
    Q_OBJECT
public:
    explicit FindingsTable(QWidget* parent = nullptr);

    void setFindings(GraphPtr graph, const Findings& findings);
    const FindingModel& findings() const { return *m_model; }
    void step(int by); // to the next row, from the last to the first

signals:
    // Selects by name, since the graph that is shown may be another one.
    void nodeRequested(const QString& name);

private:
    void request(const QModelIndex& index);

    FindingModel* m_model;
};

} // namespace lapidary
