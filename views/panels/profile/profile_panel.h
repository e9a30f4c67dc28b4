// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/profile_sums.h"

#include <QWidget>

#include <vector>

class QAbstractItemModel;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;

namespace lapidary {

class OneLineLabel;
class PanelTable;
class ProfileNodeModel;
class ProfileTypeModel;
class RooflineView;
class ShapeQuestion;
class TimelineView;

// The table of a profile, by node or by op type, with a filter; the timeline of its newest run; or
// its roofline. Without a profile, a text explains how to get one.
class ProfilePanel : public QWidget {
    Q_OBJECT
public:
    explicit ProfilePanel(QWidget* parent = nullptr);

    // Sets the profile; null: there is none. `here`: a run on this machine for comparison, or null.
    void setSums(const ProfileSumsPtr& sums, const ProfileSumsPtr& here = nullptr);
    // Sets the line above the table: "36.9 ms a run, 10 runs", or the error of the last run.
    void setSummary(const QString& text);
    void setFailure(const QString& text);
    // Asks for the shape of an input that a run needs; the field begins with the proposal. For an
    // empty tensor, the question is hidden.
    void askForShape(const QString& tensor, const QString& proposed);
    RooflineView* roofline() const { return m_roofline; }
    bool isRooflineShown() const;
    void setBusy(bool isBusy);
    void setObstacle(const QString& why); // why nothing can be run; empty: it can
    // Selects the rows of these nodes and scrolls to the first; an empty list selects nothing.
    void setSelected(const std::vector<NodeId>& nodes);
    const ProfileNodeModel& nodes() const { return *m_nodes; }

signals:
    void nodeSelected(lapidary::NodeId node);
    void opActivated(const QString& op);
    void runRequested();
    void shapeGiven(const QString& tensor, const QString& shape);
    void openRequested();
    void clearRequested();
    void rooflineShown();
    void heightWanted(int least); // pixels that a plot needs, which is more than rows do

private:
    QWidget* buildHead();
    QWidget* buildEmpty();
    PanelTable* buildTable(const QString& name, QAbstractItemModel* model,
                           QSortFilterProxyModel*& sorted, int sortColumn);
    void setFilter(const QString& text);
    void showPage();
    void fitColumns();

    ProfileNodeModel* m_nodes;
    ProfileTypeModel* m_types;
    QSortFilterProxyModel* m_sortedNodes = nullptr;
    QSortFilterProxyModel* m_sortedTypes = nullptr;
    PanelTable* m_nodeTable = nullptr;
    PanelTable* m_typeTable = nullptr;
    TimelineView* m_timeline;
    RooflineView* m_roofline;
    QStackedWidget* m_pages;
    QWidget* m_head = nullptr;
    QWidget* m_empty = nullptr;
    QComboBox* m_by = nullptr;
    QLineEdit* m_filter = nullptr;
    OneLineLabel* m_summary = nullptr;
    QLabel* m_message = nullptr;
    ShapeQuestion* m_ask = nullptr;
    std::vector<QPushButton*> m_runButtons;
    QString m_failure;
    QString m_summaryText;
    bool m_isFollowing = false; // the selection comes from outside
    bool m_isBusy = false;
    bool m_hasProfile = false;
};

} // namespace lapidary
