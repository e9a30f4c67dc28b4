#pragma once

#include "views/models/recipe/timeline_model.h"

#include <QListView>
#include <QStyledItemDelegate>
#include <QWidget>

#include <functional>

class QHBoxLayout;
class QToolButton;

namespace lapidary {

// A state as a small card: title and verdict, under them its nodes and bytes; a line leads to it
// from the state before.
class TimelineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

// The strip of states under the canvas. A click, or the arrow keys, choose one; a menu compares it
// with the one that is shown.
class TimelineBar : public QWidget {
    Q_OBJECT
public:
    explicit TimelineBar(QWidget* parent = nullptr);

    void setEntries(std::vector<TimelineEntry> entries, int shown);
    void setBranches(const QStringList& names, int current); // one is not shown
    void addWidget(QWidget* widget);                         // at the right end
    int shown() const { return m_model->shown(); }           // the entry; -1: there is none
    QListView* list() const { return m_list; }
    // Whether an entry can come beside what is compared already; asked when the menu opens.
    void setCanAdd(std::function<bool(int)> canAdd) { m_canAdd = std::move(canAdd); }

signals:
    void chosen(int entry);
    void compareRequested(int entry); // with the one that is shown
    void addRequested(int entry);     // to what is compared
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
