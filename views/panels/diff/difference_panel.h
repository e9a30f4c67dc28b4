// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/diff/difference_list.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QMenu;
class QSortFilterProxyModel;
class QWidgetAction;

namespace lapidary {

class DifferenceModel;
class PanelTable;

// The list of differences: a button for each kind, a filter by name, and the current difference.
class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    explicit DifferencePanel(QWidget* parent = nullptr);

    // Null: no comparison, or no result yet.
    void setList(const DifferenceListPtr& list);
    void setRemark(const QString& text); // shown above the list, or instead of it
    void setShownKinds(std::uint16_t kinds);
    void setCurrent(int number); // -1: none

signals:
    void stepChosen(int number);
    void kindsChosen(std::uint16_t kinds);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void buildHead();
    void renewKinds();
    void showFiltered(const QString& text);
    void toggle(const QModelIndex& shown);

    DifferenceListPtr m_list;
    DifferenceModel* m_model;
    QSortFilterProxyModel* m_shown;
    PanelTable* m_table;
    QWidget* m_head = nullptr;
    QMenu* m_kindMenu = nullptr;
    std::vector<QWidgetAction*> m_kinds; // a check box for each kind
    QLineEdit* m_filter = nullptr;
    QLabel* m_remark = nullptr;
    std::uint16_t m_shownKinds = UINT16_MAX;
    int m_current = -1;
    bool m_isFollowing = false;
};

} // namespace lapidary
