// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/elided_label.h"

#include "views/panels/base/elided_name.h"
#include "views/panels/base/theme_of.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

ElidedLabel::ElidedLabel(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text)
{
    if (m_text == text)
        return;
    m_text = text;
    setAccessibleName(text);
    setToolTip(text.isEmpty() ? QString() : u"<p>"_s + text.toHtmlEscaped() + u"</p>"_s);
    updateGeometry();
    update();
}

void ElidedLabel::setMuted(bool isMuted)
{
    m_isMuted = isMuted;
    update();
}

void ElidedLabel::setBold(bool isBold)
{
    QFont f = font();
    f.setWeight(isBold ? QFont::DemiBold : QFont::Normal);
    setFont(f);
}

void ElidedLabel::setAlignment(Qt::Alignment alignment)
{
    m_alignment = alignment;
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), 24), sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(*this);
    painter.setPen(theme[m_isMuted ? Role::TextMuted : Role::Text]);
    painter.drawText(rect(), int(m_alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                     elidedName(m_text, fontMetrics(), width()));
}

void ElidedLabel::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(u"Copy"_s, this, [this] { QApplication::clipboard()->setText(m_text); });
    menu.exec(event->globalPos());
}

} // namespace lapidary
