// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"
#include "views/models/outline_model.h"

#include <QWidget>

class QPushButton;
class QTreeView;

namespace lapidary {

// The graph as a tree of scopes and nodes, with the count of problems below.
class OutlinePanel : public QWidget {
    Q_OBJECT
public:
    explicit OutlinePanel(QWidget* parent = nullptr);

    void setTree(const GraphPtr& graph, const ScopeTreePtr& tree);
    void setCurrent(ItemId item); // scrolls there without emitting a signal
    void setProblems(const Problems& problems);
    QTreeView* tree() const { return m_tree; }

signals:
    void itemSelected(lapidary::ItemId item);
    void itemActivated(lapidary::ItemId item);
    void problemsRequested();

private:
    OutlineModel* m_model;
    QTreeView* m_tree;
    QPushButton* m_problems;
    bool m_isSettingCurrent = false;
};

} // namespace lapidary
