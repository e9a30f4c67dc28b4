// SPDX-License-Identifier: Apache-2.0
#include "views/panels/diff/pane_caption.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int captionHeight = 30;
constexpr int besideName = 44; // margins and the button that closes
constexpr int leastName = 40;

// Sets a property that the style sheet tests: a widget must be polished again after a change.
void setStyled(QWidget* widget, const char* property, bool isOn)
{
    if (widget->property(property).toBool() == isOn)
        return;
    widget->setProperty(property, isOn);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

// Shows the number in "12 differ" completely or not at all: a part of it would be a wrong number.
QString fittingRemark(const QFontMetrics& metrics, const QString& text, int room)
{
    if (metrics.horizontalAdvance(text) <= room)
        return text;
    if (text.isEmpty() || !text.front().isDigit())
        return metrics.elidedText(text, Qt::ElideRight, std::max(room, 0));
    const QString number = text.left(text.lastIndexOf(u' '));
    return metrics.horizontalAdvance(number) <= room ? number : QString();
}

} // namespace

PaneCaption::PaneCaption(QWidget* parent)
    : QWidget(parent)
    , m_title(new QToolButton(this))
    , m_remark(new QLabel(this))
    , m_close(new QToolButton(this))
{
    setObjectName(u"paneCaption"_s);
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(captionHeight);
    m_title->setObjectName(u"paneName"_s);
    m_title->setFocusPolicy(Qt::TabFocus);
    m_remark->setObjectName(u"paneRemark"_s);
    m_remark->setTextFormat(Qt::PlainText);
    m_remark->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_close->setObjectName(u"paneClose"_s);
    m_close->setText(u"\u00D7"_s);
    m_close->setFixedSize(20, 20);
    m_close->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 6, 0);
    row->setSpacing(6);
    row->addWidget(m_title);
    row->addWidget(m_remark, 1);
    row->addWidget(m_close);
    connect(m_title, &QToolButton::clicked, this, &PaneCaption::chosen);
    connect(m_close, &QToolButton::clicked, this, &PaneCaption::closeRequested);
}

void PaneCaption::setName(const QString& name)
{
    if (m_name == name)
        return;
    m_name = name;
    m_title->setAccessibleName(u"Go to the graph "_s + name);
    m_close->setAccessibleName(u"Close the graph "_s + name);
    m_close->setToolTip(u"Take \u201C%1\u201D out of the comparison"_s.arg(name));
    renewTexts();
}

// The name takes precedence if there is not enough width for both.
void PaneCaption::renewTexts()
{
    const QString shown =
        m_title->fontMetrics().elidedText(QString(m_name).replace(u'\n', u' '), Qt::ElideMiddle,
                                          std::max(width() - besideName, leastName));
    m_title->setText(QString(shown).replace(u'&', u"&&"_s));
    m_title->setToolTip(m_name);
    const int closing = m_close->isHidden() ? m_close->width() : 0;
    const int left = width() - besideName + closing - m_title->sizeHint().width();
    m_remark->setText(fittingRemark(m_remark->fontMetrics(), m_remarkText, left));
}

void PaneCaption::setRemark(const QString& text, const QString& tip)
{
    m_remarkText = text;
    m_remark->setToolTip(tip.isEmpty() ? text : tip);
    m_remark->setAccessibleName(m_remark->toolTip());
    renewTexts();
}

void PaneCaption::setActive(bool isActive)
{
    setStyled(this, "active", isActive);
    setStyled(m_title, "active", isActive);
    renewTexts();
}

void PaneCaption::setListed(bool isListed)
{
    setStyled(m_remark, "listed", isListed);
}

void PaneCaption::setClosable(bool canClose)
{
    m_close->setVisible(canClose);
}

void PaneCaption::mousePressEvent(QMouseEvent* event)
{
    QWidget::mousePressEvent(event);
    if (event->button() == Qt::LeftButton)
        emit chosen();
}

void PaneCaption::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    renewTexts();
}

} // namespace lapidary
