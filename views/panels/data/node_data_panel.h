// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/node_data/data_table.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QPushButton;
class QSortFilterProxyModel;

namespace lapidary {

class NodeDataModel;
class PanelHead;
class PanelTable;

// The table of numbers that lie over a graph, and the choice of the one that colors the picture.
class NodeDataPanel : public QWidget {
    Q_OBJECT
public:
    explicit NodeDataPanel(QWidget* parent = nullptr);

    // `shown`: the column that colors the picture.
    void setTable(const DataTablePtr& table, std::optional<std::size_t> shown);
    void setCanRemove(bool canRemove); // the column that is shown
    void setRemark(const QString& text, bool isProblem);
    void setSelected(NodeId node); // invalid: none

signals:
    void nodeSelected(lapidary::NodeId node);
    void columnChosen(int column); // -1: none
    void scopeNumberChosen(lapidary::ScopeNumber number);
    void actionRequested(const char* id);

private:
    void buildHead();
    void buildTable();
    void fillChoices(std::optional<std::size_t> shown);
    void bringForward(std::optional<std::size_t> shown);
    void fitColumns();

    NodeDataModel* m_model;
    QSortFilterProxyModel* m_sorted;
    PanelHead* m_head = nullptr;
    PanelTable* m_table = nullptr;
    QComboBox* m_columns = nullptr;
    QComboBox* m_scopes = nullptr;
    QPushButton* m_remove = nullptr;
    int m_forward = -1;         // the column beside the names
    bool m_isFollowing = false; // the selection comes from outside
};

} // namespace lapidary
