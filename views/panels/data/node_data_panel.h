// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/node_data/data_table.h"
#include "views/panels/base/headed_panel.h"

#include <optional>

class QComboBox;
class QPushButton;

namespace lapidary {

class NodeDataModel;
class SortedTable;

// A table of node data, and the choice of the column that colors the picture.
class NodeDataPanel : public HeadedPanel {
    Q_OBJECT
public:
    explicit NodeDataPanel(QWidget* parent = nullptr);

    // `shown`: the column that colors the picture, if any.
    void setTable(const DataTablePtr& table, std::optional<std::size_t> shown);
    void setCanRemove(bool canRemove); // the column that is shown can be removed
    void setSelected(NodeId node);     // invalid: none

signals:
    void nodeSelected(lapidary::NodeId node);
    void columnChosen(int column); // -1: none
    void scopeNumberChosen(lapidary::ScopeNumber number);

private:
    void buildHead();
    void fillChoices(std::optional<std::size_t> shown);
    void bringForward(std::optional<std::size_t> shown);
    void fitColumns();

    NodeDataModel* m_model;
    SortedTable* m_table;
    QComboBox* m_columns = nullptr;
    QComboBox* m_scopes = nullptr;
    QPushButton* m_remove = nullptr;
    int m_forward = -1; // the column that is shown beside the names; -1: none
};

} // namespace lapidary
