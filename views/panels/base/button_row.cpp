// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/button_row.h"

#include <QEvent>

#include <algorithm>

namespace lapidary {
namespace {

constexpr int buttonGap = 6;

}

ButtonRow::ButtonRow(QWidget* parent)
    : QWidget(parent)
    , m_row(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(buttonGap);
}

void ButtonRow::addButton(QWidget* button, int stretch)
{
    m_row->addWidget(button, stretch);
}

void ButtonRow::addStretch()
{
    m_row->addStretch(1);
}

int ButtonRow::widthBeside() const
{
    int width = -buttonGap;
    for (int i = 0; i < m_row->count(); ++i)
        if (const QWidget* button = m_row->itemAt(i)->widget(); button && !button->isHidden())
            width += button->sizeHint().width() + buttonGap;
    return width;
}

QSize ButtonRow::minimumSizeHint() const
{
    int widest = 0;
    for (int i = 0; i < m_row->count(); ++i)
        if (const QWidget* button = m_row->itemAt(i)->widget(); button && !button->isHidden())
            widest = std::max(widest, button->minimumSizeHint().width());
    return {widest, m_row->minimumSize().height()};
}

void ButtonRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

bool ButtonRow::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest) // a button was added, removed, or changed its text
        arrange();
    return QWidget::event(event);
}

void ButtonRow::arrange()
{
    const auto direction =
        width() < widthBeside() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_row->direction() == direction)
        return;
    m_row->setDirection(direction);
    updateGeometry();
}

} // namespace lapidary
