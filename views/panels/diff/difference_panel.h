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

// The list of what differs: a button for each kind, a filter by name, and the step that is current.
class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    explicit DifferencePanel(QWidget* parent = nullptr);

    void setList(const DifferenceListPtr& list); // null: nothing is compared, or not yet
    void setRemark(const QString& text);         // in the place of the list, or above it
    void setShownKinds(std::uint16_t kinds);
    void setCurrent(int number); // -1: none

signals:
    void stepChosen(int number);
    void kindsChosen(std::uint16_t kinds);
    void stepRequested(int by);
    void endRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void buildHead();
    void renewKinds();
    void renewCount();

    DifferenceListPtr m_list;
    DifferenceModel* m_model;
    QSortFilterProxyModel* m_shown;
    PanelTable* m_table;
    QWidget* m_head = nullptr;
    QMenu* m_kindMenu = nullptr;
    std::vector<QWidgetAction*> m_kinds; // a check box each
    QLineEdit* m_filter = nullptr;
    QLabel* m_count = nullptr;
    QLabel* m_remark = nullptr;
    std::uint16_t m_shownKinds = UINT16_MAX;
    int m_current = -1;
    bool m_isFollowing = false;
};

} // namespace lapidary
