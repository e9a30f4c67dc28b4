// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/panel_head.h"

#include "views/panels/base/one_line_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

namespace lapidary {

PanelHead::PanelHead(const QString& remark, QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_remark(new OneLineLabel(this))
{
    m_remark->setObjectName(remark);
    m_row->setContentsMargins(8, 6, 8, 6);
    m_row->setSpacing(8);
    m_row->addWidget(m_remark, 1);
}

void PanelHead::setRemark(const QString& text, bool isProblem)
{
    m_remark->setText(text);
    m_remark->setToolTip(text);
    m_remark->setProperty("problem", isProblem);
    m_remark->setProperty("muted", !isProblem);
    m_remark->style()->unpolish(m_remark);
    m_remark->style()->polish(m_remark);
}

void PanelHead::wrapRemark()
{
    m_remark->wrapIntoTwo();
}

void PanelHead::add(QWidget* field)
{
    m_row->addWidget(field);
}

QComboBox* PanelHead::addChoice(const QString& name, const QString& purpose)
{
    auto* choice = new QComboBox(this);
    choice->setObjectName(name);
    choice->setAccessibleName(purpose);
    choice->setToolTip(purpose);
    add(choice);
    return choice;
}

QPushButton* PanelHead::addButton(const QString& name, const QString& text, const QString& tip,
                                  const char* action)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setAccessibleName(text);
    button->setToolTip(tip);
    add(button);
    connect(button, &QPushButton::clicked, this, [this, action] { emit actionRequested(action); });
    return button;
}

} // namespace lapidary
