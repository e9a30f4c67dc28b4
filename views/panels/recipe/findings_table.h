#pragma once

#include "views/models/recipe/finding_model.h"
#include "views/panels/table_panels.h"

namespace lapidary {

// What the current step rewrites, and what it leaves alone and why.
class FindingsTable : public PanelTable {
    Q_OBJECT
public:
    explicit FindingsTable(QWidget* parent = nullptr);

    void setFindings(GraphPtr graph, const Findings& findings);
    const FindingModel& findings() const { return *m_model; }
    void step(int by); // to the next row, around the end

signals:
    // By name: the graph that is shown may be another one.
    void nodeRequested(const QString& name);

private:
    void request(const QModelIndex& index);

    FindingModel* m_model;
};

} // namespace lapidary
