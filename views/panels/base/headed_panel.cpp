// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/headed_panel.h"

#include "views/panels/base/panel_head.h"
#include "views/panels/base/sorted_table.h"

#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

HeadedPanel::HeadedPanel(const QString& stem, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_stem(stem)
    , m_head(new PanelHead(stem + u"Remark"_s, this))
    , m_column(new QVBoxLayout(this))
{
    setObjectName(stem + u"Panel"_s);
    setAccessibleName(title);
    setAttribute(Qt::WA_StyledBackground);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(m_head);
    connect(m_head, &PanelHead::actionRequested, this, &HeadedPanel::actionRequested);
}

SortedTable* HeadedPanel::addTable(const QString& name, QAbstractItemModel& model, int sortRole)
{
    auto* table = new SortedTable(name, model, sortRole, this);
    table->setObjectName(m_stem + u"Table"_s);
    m_column->addWidget(table, 1);
    return table;
}

void HeadedPanel::setRemark(const QString& text, bool isProblem)
{
    m_head->setRemark(text, isProblem);
}

} // namespace lapidary
