// SPDX-License-Identifier: Apache-2.0
#include "views/panels/legend_bar.h"

#include "views/panels/base/theme_of.h"
#include "views/theme/ramp.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <span>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int margin = 12;
constexpr int markWidth = 14;
constexpr int gap = 16;
constexpr int rampWidth = 176;

bool isRamp(const LegendEntry& entry)
{
    return entry.mark == LegendEntry::Mark::Ramp || entry.mark == LegendEntry::Mark::TwoSidedRamp;
}

QString moreText(std::size_t count)
{
    return u"%1 more"_s.arg(count);
}

void paintMark(QPainter& painter, const LegendEntry& entry, QRectF box)
{
    painter.setBrush(entry.fill);
    painter.setPen(QPen(entry.outline, 1.2));
    const double middle = box.center().y();
    switch (entry.mark) {
    case LegendEntry::Mark::Swatch: painter.drawRoundedRect(box, 2.5, 2.5); break;
    case LegendEntry::Mark::Dot: painter.drawEllipse(box.center(), 4, 4); break;
    case LegendEntry::Mark::Stack:
        painter.drawRoundedRect(box.translated(2, -2), 2, 2);
        painter.drawRoundedRect(box, 2, 2);
        break;
    case LegendEntry::Mark::ControlEdge:
        painter.setPen(QPen(entry.outline, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(box.left() - 2, middle), QPointF(box.right() + 2, middle));
        break;
    case LegendEntry::Mark::BackEdge:
        painter.setBrush(Qt::NoBrush);
        painter.drawArc(box, -90 * 16, 240 * 16);
        break;
    case LegendEntry::Mark::Ramp:
    case LegendEntry::Mark::TwoSidedRamp: break; // see paintRamp()
    }
}

} // namespace

LegendBar::LegendBar(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"legend"_s);
    setFixedHeight(28);
    setAccessibleName(u"Legend"_s);
}

void LegendBar::setEntries(std::vector<LegendEntry> entries)
{
    m_entries = std::move(entries);
    QStringList texts;
    for (const LegendEntry& entry : m_entries)
        texts.append(entry.before.isEmpty() ? entry.text
                                            : u"%1 … %2"_s.arg(entry.before, entry.text));
    setAccessibleDescription(texts.join(u", "_s));
    update();
}

void LegendBar::setNote(const QString& note)
{
    m_note = note;
    update();
}

int LegendBar::entryWidth(const LegendEntry& entry) const
{
    if (isRamp(entry))
        return fontMetrics().horizontalAdvance(entry.before) + 8 + rampWidth + 8 +
               fontMetrics().horizontalAdvance(entry.text) + gap;
    return markWidth + 6 + fontMetrics().horizontalAdvance(entry.text) + gap;
}

std::size_t LegendBar::shownCount() const
{
    int total = 0;
    for (const LegendEntry& entry : m_entries)
        total += entryWidth(entry);
    const int room = width() - 2 * margin + gap;
    std::size_t count = m_entries.size();
    if (total <= room)
        return count;
    total += fontMetrics().horizontalAdvance(moreText(count)) + gap;
    while (count > 0 && total > room)
        total -= entryWidth(m_entries[--count]);
    return count;
}

void LegendBar::paintRamp(QPainter& painter, const LegendEntry& entry, int x) const
{
    const QRect line(x, 0, width() - x, height());
    painter.drawText(line, Qt::AlignVCenter, entry.before);
    const int left = x + fontMetrics().horizontalAdvance(entry.before) + 8;
    const bool isTwoSided = entry.mark == LegendEntry::Mark::TwoSidedRamp;
    for (int i = 0; i < rampWidth; ++i) {
        const double at = double(i) / (rampWidth - 1);
        painter.fillRect(QRect(left + i, height() / 2 - 5, 1, 10),
                         isTwoSided ? differenceRamp(2 * at - 1, themeOf(*this).isDark)
                                    : overlayRamp(at));
    }
    painter.drawText(line.adjusted(left + rampWidth + 8 - x, 0, 0, 0), Qt::AlignVCenter,
                     entry.text);
}

void LegendBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(*this);
    painter.fillRect(rect(), theme[Role::Canvas]);
    int x = margin;
    const std::size_t shown = shownCount();
    for (const LegendEntry& entry : std::span(m_entries).first(shown)) {
        const int w = entryWidth(entry);
        painter.setPen(theme[Role::TextMuted]);
        if (isRamp(entry)) {
            paintRamp(painter, entry, x);
            x += w;
            continue;
        }
        paintMark(painter, entry, QRectF(x + 0.5, height() / 2.0 - 5, 10, 10));
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRect(x + markWidth + 4, 0, w, height()), Qt::AlignVCenter, entry.text);
        x += w;
    }
    painter.setPen(theme[Role::TextMuted]);
    if (shown < m_entries.size())
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter,
                         moreText(m_entries.size() - shown));
    else if (x + fontMetrics().horizontalAdvance(m_note) + margin <= width())
        painter.drawText(rect().adjusted(0, 0, -margin, 0), Qt::AlignVCenter | Qt::AlignRight,
                         m_note);
}

bool LegendBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    int x = margin;
    const std::size_t shown = shownCount();
    for (const LegendEntry& entry : std::span(m_entries).first(shown)) {
        const int w = entryWidth(entry);
        if (help->pos().x() >= x && help->pos().x() < x + w) {
            QToolTip::showText(help->globalPos(), entry.tip.isEmpty() ? entry.text : entry.tip,
                               this);
            return true;
        }
        x += w;
    }
    QStringList hidden; // entries that "2 more" stands for
    for (const LegendEntry& entry : std::span(m_entries).subspan(shown))
        hidden.append(entry.text);
    QToolTip::showText(help->globalPos(), hidden.empty() ? m_note : hidden.join(u'\n'), this);
    return true;
}

} // namespace lapidary
