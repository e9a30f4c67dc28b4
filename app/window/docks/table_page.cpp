// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/table_page.h"

#include <QAbstractItemView>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace lapidary {
namespace {

// Makes a form scroll when the tables are low, like the rows of tables, so that the picture keeps
// its space.
QWidget* scrolled(QWidget* form, const QString& title, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setAccessibleName(title);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setWidget(form);
    form->setAutoFillBackground(false);
    area->viewport()->setAutoFillBackground(false);
    return area;
}

} // namespace

TablePage::TablePage(QWidget* table, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_table(table)
{
    setAccessibleName(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
}

TablePage::~TablePage()
{
    if (!m_isPlaced)
        delete m_table;
}

void TablePage::place()
{
    if (std::exchange(m_isPlaced, true))
        return;
    const bool scrolls = qobject_cast<QAbstractItemView*>(m_table) != nullptr;
    layout()->addWidget(scrolls ? m_table.data() : scrolled(m_table, accessibleName(), this));
}

void TablePage::showEvent(QShowEvent* event)
{
    place();
    QWidget::showEvent(event);
}

} // namespace lapidary
