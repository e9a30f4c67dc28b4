// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/recipe/timeline_model.h"

#include <QListView>
#include <QStyledItemDelegate>
#include <QWidget>

#include <functional>

class QHBoxLayout;
class QToolButton;

namespace lapidary {

// Paints a state as a small card: title and verdict, below them its nodes and bytes. A line leads
// to it from the previous state.
class TimelineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

// The strip of states below the canvas. A click or the arrow keys choose a state; a menu compares
// it with the one that is shown.
class TimelineBar : public QWidget {
    Q_OBJECT
public:
    explicit TimelineBar(QWidget* parent = nullptr);

    void setEntries(std::vector<TimelineEntry> entries, int shown);
    void setBranches(const QStringList& names, int current); // hidden if there is only one
    void addWidget(QWidget* widget);                         // at the right end
    // index of the entry; -1: there is none
    int shown() const { return m_model->shown(); }
    QListView* list() const { return m_list; }
    // Sets whether an entry can be added to the comparison; asked when the menu opens.
    void setCanAdd(std::function<bool(int)> canAdd) { m_canAdd = std::move(canAdd); }

signals:
    void chosen(int entry);
    void compareRequested(int entry); // compares it with the state that is shown
    void addRequested(int entry);     // adds it to the comparison
    void branchChosen(int branch);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool chooseByKey(int key);
    void showMenu(int entry, QPoint globalPosition);

    TimelineModel* m_model;
    QListView* m_list;
    QToolButton* m_branch;
    QHBoxLayout* m_row;
    std::function<bool(int)> m_canAdd;
};

} // namespace lapidary
