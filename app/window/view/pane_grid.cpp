// SPDX-License-Identifier: Apache-2.0
#include "app/window/view/pane_grid.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

namespace {

constexpr std::size_t mostSideBySide = 3;

QSplitter* splitter(Qt::Orientation orientation, QWidget* parent)
{
    auto* made = new QSplitter(orientation, parent);
    made->setHandleWidth(1);
    made->setChildrenCollapsible(false);
    return made;
}

} // namespace

PaneGrid::PaneGrid(QWidget* parent)
    : QWidget(parent)
    , m_rows(splitter(Qt::Vertical, this))
    , m_upper(splitter(Qt::Horizontal, m_rows))
    , m_lower(splitter(Qt::Horizontal, m_rows))
{
    m_lower->hide();
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_rows);
    connect(m_upper, &QSplitter::splitterMoved, this, [this] {
        if (m_lower->count() == m_upper->count())
            m_lower->setSizes(m_upper->sizes());
    });
    connect(m_lower, &QSplitter::splitterMoved, this,
            [this] { m_upper->setSizes(m_lower->sizes()); });
}

void PaneGrid::setPanes(const std::vector<QWidget*>& panes)
{
    const std::size_t inRow = panes.size() > mostSideBySide ? (panes.size() + 1) / 2 : panes.size();
    for (std::size_t i = 0; i < panes.size(); ++i) {
        QSplitter* row = i < inRow ? m_upper : m_lower;
        row->insertWidget(int(i < inRow ? i : i - inRow), panes[i]);
        panes[i]->show();
    }
    m_lower->setVisible(panes.size() > inRow);
    for (QSplitter* row : {m_upper, m_lower})
        row->setSizes(QList<int>(row->count(), width() / std::max(row->count(), 1)));
    m_rows->setSizes({height() / 2, height() / 2});
}

} // namespace lapidary
