// SPDX-License-Identifier: Apache-2.0
#include "views/panels/headed_panel.h"

#include "views/panels/panel_head.h"

#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

HeadedPanel::HeadedPanel(const QString& stem, const QString& title, QWidget* parent)
    : QWidget(parent)
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

void HeadedPanel::setRemark(const QString& text, bool isProblem)
{
    m_head->setRemark(text, isProblem);
}

} // namespace lapidary
