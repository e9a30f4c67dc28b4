// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_registry.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/panels/base/theme_of.h"
#include "views/panels/profile/timeline_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double textPadding = 4;
constexpr double tickDistance = 90;

// Returns 1, 2 or 5 times a power of ten, at least `least`.
double roundStep(double least)
{
    const double power = std::pow(10, std::floor(std::log10(std::max(least, 1.0))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= least)
            return power * factor;
    return power * 10;
}

} // namespace

// Hatches what is folded, with its length along it.
void TimelineView::paintGaps(QPainter& painter) const
{
    const Theme& theme = themeOf(*this);
    for (const FoldedTime::Gap& gap : m_axis.gaps()) {
        const QRectF place(xOf(gap.begin), rulerHeight, xOf(gap.end) - xOf(gap.begin),
                           height() - rulerHeight);
        if (!place.intersects(lanes()))
            continue;
        painter.fillRect(place, QBrush(theme[Role::Line], Qt::BDiagPattern));
        const QString length = timeText(gap.length());
        const double along = fontMetrics().horizontalAdvance(length) + 2 * textPadding;
        if (place.width() < fontMetrics().height() || place.height() < along)
            continue;
        painter.save();
        painter.translate(place.center());
        painter.rotate(-90);
        const QRectF text(-along / 2, -fontMetrics().height() / 2.0, along, fontMetrics().height());
        painter.fillRect(text, theme[Role::Surface]);
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(text, Qt::AlignCenter, length);
        painter.restore();
    }
}

// Draws the ticks between two times, and the texts that begin beyond `free`; returns where the last
// one ends.
double TimelineView::paintTicks(QPainter& painter, double from, double to, double step,
                                double free) const
{
    const Theme& theme = themeOf(*this);
    const auto last = std::int64_t(std::floor(to / step));
    for (auto tick = std::int64_t(std::ceil(from / step)); tick <= last; ++tick) {
        const double time = double(tick) * step;
        const double x = xOf(time);
        painter.setPen(theme[Role::Line]);
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
        const QString text = timeText(time);
        const double width = fontMetrics().horizontalAdvance(text);
        if (x < free || x + textPadding + width > gutter() + room())
            continue;
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRectF(x + textPadding, 0, tickDistance, rulerHeight),
                         Qt::AlignVCenter | Qt::AlignLeft, text);
        free = x + 2 * textPadding + width;
    }
    return free;
}

void TimelineView::paintRuler(QPainter& painter) const
{
    const double step = roundStep(m_span / std::max(1.0, room() / tickDistance));
    const double end = m_axis.timeAt(m_from + m_span);
    double from = m_axis.timeAt(m_from);
    double free = 0;
    for (const FoldedTime::Gap& gap : m_axis.gaps()) {
        if (gap.end < from)
            continue;
        free = paintTicks(painter, from, std::min(gap.begin, end), step, free);
        from = gap.end;
    }
    paintTicks(painter, from, end, step, free);
}

void TimelineView::paintBar(QPainter& painter, std::size_t slice) const
{
    const Theme& theme = themeOf(*this);
    const ProfiledSlice& at = slices()[slice];
    const ProfiledNode& node = m_sums->profile().nodes[at.row];
    const FamilyColors& colors = theme.family(opFamily(node.op));
    const QRectF bar = barOf(at);
    painter.fillRect(bar, bar.width() < 3 ? colors.outline : colors.fill);
    if (bar.width() >= 3) {
        painter.setPen(colors.outline);
        painter.drawRect(bar.adjusted(0, 0, -1, -1));
    }
    if (m_sums->critical()[slice])
        painter.fillRect(QRectF(bar.left(), bar.bottom() + 1, bar.width(), 2), theme[Role::Accent]);
    if (m_isSelected[at.row]) {
        painter.setPen(QPen(theme[Role::Accent], 2));
        painter.drawRect(bar.adjusted(0, 0, -1, -1));
    }
    painter.setPen(colors.text);
    paintBarText(painter, at, bar);
}

// Writes the name, from its last part on, and below it the time if there is room. Less than the
// last part says nothing.
void TimelineView::paintBarText(QPainter& painter, const ProfiledSlice& slice,
                                const QRectF& bar) const
{
    const QRectF visible = bar.intersected(lanes()).adjusted(textPadding, 0, -textPadding, 0);
    const QFontMetricsF metrics = fontMetrics();
    if (visible.height() < metrics.height())
        return;
    const QString name = plainText(m_sums->profile().nodes[slice.row].name);
    const QString last = name.section(u'/', -1);
    if (metrics.horizontalAdvance(last) > visible.width())
        return;
    const double ofBoth = metrics.horizontalAdvance(u"\u2026/"_s + last);
    const QString shown =
        ofBoth <= visible.width() ? metrics.elidedText(name, Qt::ElideLeft, visible.width()) : last;
    const QString time = timeText(double(slice.nanoseconds));
    const bool hasTime = visible.height() >= 2 * metrics.height() &&
                         metrics.horizontalAdvance(time) <= visible.width();
    painter.drawText(visible, Qt::AlignVCenter | Qt::AlignLeft,
                     hasTime ? shown + u'\n' + time : shown);
}

QRectF TimelineView::lanes() const
{
    return {gutter(), 0, room(), double(height())};
}

void TimelineView::paintNames(QPainter& painter) const
{
    const Theme& theme = themeOf(*this);
    painter.setPen(theme[Role::TextMuted]);
    for (std::size_t lane = 0; lane < m_ofLane.size(); ++lane) {
        if (m_ofLane[lane].empty())
            continue;
        const QRectF bar = barOf(slices()[m_ofLane[lane].front()]);
        painter.drawText(QRectF(textPadding, bar.top(), gutter() - 2 * textPadding, bar.height()),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(plainText(m_sums->profile().lanes[lane]),
                                                  Qt::ElideLeft, int(gutter() - 2 * textPadding)));
    }
}

// Draws the bars of a lane. Bars that would cover the same pixel are drawn once.
void TimelineView::paintLane(QPainter& painter, std::size_t lane) const
{
    double drawn = -1;
    for (const std::size_t i : m_ofLane[lane]) {
        const QRectF bar = barOf(slices()[i]);
        if (bar.left() > width())
            break;
        const bool isCovered = bar.right() <= drawn && bar.width() <= 1;
        if (bar.right() < 0 || (isCovered && !m_isSelected[slices()[i].row]))
            continue;
        drawn = std::max(drawn, std::floor(bar.left()) + 1);
        paintBar(painter, i);
    }
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(*this);
    painter.fillRect(rect(), theme[Role::Surface]);
    if (!hasTimes()) {
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignTop | Qt::TextWordWrap,
                         u"This profile says how long nodes ran, but not when. Run the graph here, "
                         u"or open RunMetadata or a trace."_s);
        return;
    }
    if (gutter() > 0)
        paintNames(painter);
    painter.setClipRect(lanes());
    paintGaps(painter);
    paintRuler(painter);
    for (std::size_t lane = 0; lane < m_ofLane.size(); ++lane)
        paintLane(painter, lane);
    painter.setClipping(false);
    if (hasFocus()) {
        painter.setPen(theme[Role::Accent]);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace lapidary
