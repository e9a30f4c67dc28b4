// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/panel_title.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int closeButtonSize = 24;
constexpr int titleGap = 6;

} // namespace

PanelTitle::PanelTitle(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(title, this))
    , m_summary(new QLabel(this))
{
    setObjectName(u"panelTitle"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_title->setObjectName(u"panelTitleText"_s);
    m_summary->setObjectName(u"panelTitleSummary"_s);
    m_summary->setTextFormat(Qt::PlainText);
    auto* close = new QToolButton(this);
    close->setObjectName(u"panelClose"_s);
    close->setText(u"\u00D7"_s);
    close->setAutoRaise(true);
    close->setFixedSize(closeButtonSize, closeButtonSize);
    close->setAccessibleName(u"Close panel "_s + title);
    close->setToolTip(u"Close (View > Panels brings it back)"_s);
    connect(close, &QToolButton::clicked, this, &PanelTitle::closeRequested);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 4, 4);
    row->setSpacing(titleGap);
    row->addWidget(m_title);
    row->addStretch(1);
    row->addWidget(m_summary);
    row->addWidget(close);
}

void PanelTitle::setSummary(const QString& summary)
{
    m_summary->setText(summary);
    showWhatFits();
}

// The summary may be hidden, so its width is not included.
QSize PanelTitle::minimumSizeHint() const
{
    return {QWidget::minimumSizeHint().width() -
                (m_summary->isHidden() ? 0 : m_summary->minimumSizeHint().width()),
            QWidget::minimumSizeHint().height()};
}

void PanelTitle::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showWhatFits();
}

void PanelTitle::showWhatFits()
{
    const QMargins margins = layout()->contentsMargins();
    const int taken = m_title->sizeHint().width() + closeButtonSize + 3 * titleGap +
                      margins.left() + margins.right() + m_summary->sizeHint().width();
    m_summary->setVisible(width() >= taken);
}

QString PanelTitle::summary() const
{
    return m_summary->text();
}

} // namespace lapidary
