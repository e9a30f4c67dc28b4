// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/table_panels.h"

#include "views/panels/base/elided_name.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

PanelTable::PanelTable(const QString& name, QWidget* parent)
    : QTableView(parent)
{
    setAccessibleName(name);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle);
    setItemDelegate(new NameDelegate(this));
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(24);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setStretchLastSection(true);
}

void PanelTable::keyPressEvent(QKeyEvent* event)
{
    if (!event->matches(QKeySequence::Copy)) {
        QTableView::keyPressEvent(event);
        return;
    }
    QStringList lines;
    for (const QModelIndex& row : selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column)
            cells.append(row.siblingAtColumn(column).data().toString());
        lines.append(cells.join(u'\t'));
    }
    QApplication::clipboard()->setText(lines.join(u'\n'));
}

void PanelTable::giveRestTo(int column, int least)
{
    m_restColumn = column;
    m_leastRest = least;
    horizontalHeader()->setStretchLastSection(false);
    int room = width() - verticalScrollBar()->sizeHint().width();
    for (int other = 0; other < model()->columnCount(); ++other)
        if (other != column) // hidden columns have the width 0
            room -= columnWidth(other);
    setColumnWidth(column, std::max(room, least));
}

void PanelTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (m_restColumn >= 0)
        giveRestTo(m_restColumn, m_leastRest);
}

int PanelTable::sizeHintForColumn(int column) const
{
    return std::min(QTableView::sizeHintForColumn(column) + 12, 420);
}

ProblemPanel::ProblemPanel(QWidget* parent)
    : PanelTable(u"Problems"_s, parent)
    , m_model(new ProblemModel(this))
{
    setObjectName(u"problemTable"_s);
    setModel(m_model);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_isFitted = false;
        if (isVisible())
            fitColumns();
    });
    connect(this, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit problemActivated(m_model->problem(index.row()));
    });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        emit problemActivated(m_model->problem(index.row()));
    });
}

void ProblemPanel::setProblems(const ProblemsPtr& problems)
{
    m_model->setProblems(problems);
}

void ProblemPanel::showEvent(QShowEvent* event)
{
    fitColumns();
    PanelTable::showEvent(event);
}

// Called when the panel is first shown: measuring the texts takes longer than everything else about
// the list.
void ProblemPanel::fitColumns()
{
    if (std::exchange(m_isFitted, true))
        return;
    // The last section was stretched while the columns were empty.
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->setResizeContentsPrecision(100);
    for (int column = 0; column + 1 < ProblemModel::ColumnCount; ++column)
        resizeColumnToContents(column);
    setColumnWidth(ProblemModel::MessageColumn,
                   std::max(columnWidth(ProblemModel::MessageColumn), 420));
    horizontalHeader()->setStretchLastSection(true);
}

void ProblemPanel::setRemark(const QString& text)
{
    if (m_remark == text)
        return;
    m_remark = text;
    setAccessibleDescription(text);
    viewport()->update();
}

void ProblemPanel::paintEvent(QPaintEvent* event)
{
    PanelTable::paintEvent(event);
    if (m_remark.isEmpty())
        return;
    const int rows = model()->rowCount();
    const int top = rows == 0 ? 0 : rowViewportPosition(rows - 1) + rowHeight(rows - 1);
    const int height = verticalHeader()->defaultSectionSize();
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(8, top, viewport()->width() - 16, height),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, m_remark);
}

OpPanel::OpPanel(QWidget* parent)
    : PanelTable(u"Ops"_s, parent)
    , m_model(new OpTableModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    setObjectName(u"opTable"_s);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(OpTableModel::SortRole);
    setModel(m_sorted);
    setSortingEnabled(true);
    sortByColumn(OpTableModel::CountColumn, Qt::DescendingOrder);
    setColumnWidth(OpTableModel::OpColumn, 260);
    setColumnWidth(OpTableModel::FamilyColumn, 200);
    connect(this, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit opActivated(m_model->op(m_sorted->mapToSource(index).row()));
    });
    connect(m_model, &OpTableModel::hideOpRequested, this, &OpPanel::hideOpRequested);
}

void OpPanel::setOps(std::vector<OpCount> ops)
{
    m_model->setOps(std::move(ops));
}

void OpPanel::setHiddenOps(const QStringList& ops)
{
    m_model->setHiddenOps(ops);
}

} // namespace lapidary
