// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"
#include "graph_model/graph/graph.h"
#include "views/models/op_table_model.h"
#include "views/models/problem_model.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace lapidary {

// A table of the bottom dock. Whole rows are selected; there is no grid; Ctrl+C copies rows.
class PanelTable : public QTableView {
    Q_OBJECT
public:
    explicit PanelTable(const QString& name, QWidget* parent = nullptr);

    // Gives a column the width that the others leave, but at least `least` pixels, now and whenever
    // the width changes.
    void giveRestTo(int column, int least);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    int sizeHintForColumn(int column) const override;

private:
    int m_restColumn = -1;
    int m_leastRest = 0;
};

class ProblemPanel : public PanelTable {
    Q_OBJECT
public:
    explicit ProblemPanel(QWidget* parent = nullptr);
    void setProblems(const ProblemsPtr& problems);
    void setRemark(const QString& text); // a line below the rows: "Still checking ..."
    const QString& remark() const { return m_remark; }
    const ProblemModel& problems() const { return *m_model; }

signals:
    void problemActivated(const lapidary::Problem& problem);

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fitColumns();

    QString m_remark;
    bool m_isFitted = false; // the columns were fitted to the rows
    ProblemModel* m_model;
};

class OpPanel : public PanelTable {
    Q_OBJECT
public:
    explicit OpPanel(QWidget* parent = nullptr);
    void setOps(std::vector<OpCount> ops);
    void setHiddenOps(const QStringList& ops);

signals:
    void opActivated(const QString& op);
    void hideOpRequested(const QString& op, bool isHidden);

private:
    OpTableModel* m_model;
    QSortFilterProxyModel* m_sorted;
};

} // namespace lapidary
