// SPDX-License-Identifier: Apache-2.0
#include "views/panels/profile/timeline_view.h"

#include "graph_model/ops/op_registry.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/panels/base/theme_of.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double rulerHeight = 22;
constexpr double laneHeight = 30;
constexpr double leastLane = 9;
constexpr double leastSpan = 1000; // nanoseconds that the closest zoom shows
constexpr double textPadding = 4;
constexpr double tickDistance = 90;
constexpr double gutterWidth = 120;

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

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent)
    , m_end(leastSpan)
{
    setObjectName(u"profileTimeline"_s);
    setAccessibleName(u"Timeline of the last run"_s);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TimelineView::setSums(ProfileSumsPtr sums)
{
    if (m_sums == sums)
        return;
    m_sums = std::move(sums);
    m_ofLane.clear();
    m_busy.clear();
    m_critical = 0;
    m_end = leastSpan;
    m_isSelected.clear();
    m_current.reset();
    if (m_sums) {
        m_ofLane.resize(m_sums->profile().lanes.size());
        m_busy.resize(m_ofLane.size());
        m_isSelected.assign(m_sums->profile().nodes.size(), false);
        std::vector<std::int64_t> ends(m_ofLane.size(), 0);
        for (std::size_t i = 0; i < slices().size(); ++i) {
            const ProfiledSlice& slice = slices()[i];
            m_ofLane[slice.lane].push_back(i);
            // A slice inside another one is not counted twice.
            std::int64_t& end = ends[slice.lane];
            m_busy[slice.lane] += double(
                std::max<std::int64_t>(slice.end() - std::max(end, slice.startNanoseconds), 0));
            end = std::max(end, slice.end());
            m_end = std::max(m_end, double(slice.end()));
            if (m_sums->critical()[i])
                m_critical += double(slice.nanoseconds);
        }
    }
    showTimes(0, m_end);
}

QString TimelineView::text() const
{
    if (!hasTimes())
        return u"no times"_s;
    return u"%1 in %2, %3; critical path %4; shown: %5 to %6"_s.arg(
        counted(std::int64_t(slices().size()), u"bar"_s),
        counted(std::int64_t(m_ofLane.size()), u"lane"_s), timeText(m_end), timeText(m_critical),
        timeText(m_from), timeText(m_from + m_span));
}

// Returns the width for the names of the lanes, if there are several.
double TimelineView::gutter() const
{
    return m_ofLane.size() > 1 ? std::min(gutterWidth, width() / 4.0) : 0;
}

double TimelineView::room() const
{
    return std::max(width() - gutter(), 1.0);
}

double TimelineView::xOf(double time) const
{
    return gutter() + (time - m_from) / m_span * room();
}

double TimelineView::timeAt(double x) const
{
    return m_from + (x - gutter()) / room() * m_span;
}

void TimelineView::showTimes(double from, double span)
{
    const double all = m_end;
    m_span = std::clamp(span, leastSpan, all);
    m_from = std::clamp(from, 0.0, all - m_span);
    setAccessibleDescription(text());
    update();
}

void TimelineView::zoom(double x, double factor)
{
    const double fixed = timeAt(x);
    const double span = std::clamp(m_span / factor, leastSpan, m_end);
    showTimes(fixed - (x - gutter()) / room() * span, span);
}

QRectF TimelineView::barOf(const ProfiledSlice& slice) const
{
    const double room =
        (height() - rulerHeight) / double(std::max<std::size_t>(m_ofLane.size(), 1));
    const double lane = std::clamp(room, leastLane, laneHeight);
    const double left = xOf(double(slice.startNanoseconds));
    return {left, rulerHeight + slice.lane * lane + 2,
            std::max(xOf(double(slice.end())) - left, 1.0), lane - 5};
}

std::optional<std::size_t> TimelineView::sliceAt(const QPointF& position) const
{
    std::optional<std::size_t> found; // the innermost slice
    if (!hasTimes())
        return found;
    for (const auto& lane : m_ofLane) {
        if (lane.empty() || position.y() < barOf(slices()[lane.front()]).top() ||
            position.y() > barOf(slices()[lane.front()]).bottom() + 3)
            continue;
        for (const std::size_t i : lane) {
            const QRectF bar = barOf(slices()[i]);
            if (bar.left() > position.x() + 1)
                break;
            if (bar.right() >= position.x() - 1)
                found = i;
        }
    }
    return found;
}

QString TimelineView::tip(std::size_t slice) const
{
    const ProfiledSlice& at = slices()[slice];
    const ProfiledNode& node = m_sums->profile().nodes[at.row];
    QStringList lines{plainText(node.name), plainText(node.op),
                      u"%1 from %2 on"_s.arg(timeText(double(at.nanoseconds)),
                                             timeText(double(at.startNanoseconds)))};
    if (m_sums->critical()[slice])
        lines.append(u"on the critical path"_s);
    const double share = m_busy[at.lane] / m_end;
    lines.append(u"%1: busy %2 of the time"_s.arg(plainText(m_sums->profile().lanes[at.lane]),
                                                  shareText(share)));
    return lines.join(u'\n');
}

void TimelineView::setSelected(const std::vector<NodeId>& nodes)
{
    if (!m_sums)
        return;
    m_isSelected.assign(m_isSelected.size(), false);
    for (const NodeId node : nodes)
        if (const auto row = m_sums->rowOf(node))
            m_isSelected[*row] = true;
    const bool keeps = m_current && m_isSelected[slices()[*m_current].row];
    if (!keeps) {
        const auto first = std::ranges::find_if(
            slices(), [&](const ProfiledSlice& slice) { return m_isSelected[slice.row]; });
        m_current = first == slices().end() ? std::nullopt
                                            : std::optional(std::size_t(first - slices().begin()));
    }
    if (m_current) {
        const ProfiledSlice& slice = slices()[*m_current];
        if (double(slice.end()) < m_from || double(slice.startNanoseconds) > m_from + m_span)
            showTimes(double(slice.startNanoseconds) + double(slice.nanoseconds) / 2 - m_span / 2,
                      m_span);
    }
    update();
}

void TimelineView::select(std::size_t slice)
{
    m_current = slice;
    const NodeId node = m_sums->nodeOf(slices()[slice].row);
    setSelected(node.isValid() ? std::vector{node} : std::vector<NodeId>{});
    m_current = slice;
    if (node.isValid())
        emit nodeSelected(node);
}

QStringList TimelineView::selectedNames() const
{
    QStringList names;
    for (std::size_t row = 0; row < m_isSelected.size(); ++row)
        if (m_isSelected[row])
            names.append(plainText(m_sums->profile().nodes[row].name));
    return names;
}

void TimelineView::step(int by)
{
    if (!m_current)
        return select(0);
    const auto& lane = m_ofLane[slices()[*m_current].lane];
    const auto at = std::ranges::find(lane, *m_current) - lane.begin() + by;
    if (at >= 0 && at < std::ptrdiff_t(lane.size()))
        select(lane[std::size_t(at)]);
}

// Selects the last bar of the neighboring lane that began before the current one.
void TimelineView::changeLane(int by)
{
    if (!m_current)
        return select(0);
    const ProfiledSlice& from = slices()[*m_current];
    const std::int64_t lane = std::int64_t(from.lane) + by;
    if (lane < 0 || lane >= std::int64_t(m_ofLane.size()) || m_ofLane[std::size_t(lane)].empty())
        return;
    const auto& other = m_ofLane[std::size_t(lane)];
    const auto beyond =
        std::ranges::upper_bound(other, from.startNanoseconds, {},
                                 [&](std::size_t i) { return slices()[i].startNanoseconds; });
    select(beyond == other.begin() ? other.front() : *std::prev(beyond));
}

bool TimelineView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto slice = sliceAt(help->pos());
    if (slice)
        QToolTip::showText(help->globalPos(), tip(*slice), this);
    else
        QToolTip::hideText();
    return true;
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    if (!hasTimes())
        return;
    constexpr double degrees = 240; // degrees of the wheel that double the zoom
    const QPoint delta = event->angleDelta();
    if (std::abs(delta.x()) > std::abs(delta.y()))
        showTimes(m_from - delta.x() / degrees * m_span / 4, m_span);
    else
        zoom(event->position().x(), std::exp2(delta.y() / degrees));
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !hasTimes())
        return;
    m_pressed = event->position();
    m_dragged = timeAt(event->position().x());
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragged &&
        (event->position() - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        setCursor(Qt::ClosedHandCursor);
        showTimes(*m_dragged - (event->position().x() - gutter()) / room() * m_span, m_span);
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    unsetCursor();
    const bool isClick = m_dragged && (event->position() - m_pressed).manhattanLength() <
                                          QApplication::startDragDistance();
    m_dragged.reset();
    if (!isClick)
        return;
    if (const auto slice = sliceAt(event->position()))
        select(*slice);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    if (!hasTimes())
        return QWidget::keyPressEvent(event);
    const double middle =
        m_current ? barOf(slices()[*m_current]).center().x() : double(width()) / 2;
    switch (event->key()) {
    case Qt::Key_Left: return step(-1);
    case Qt::Key_Right: return step(1);
    case Qt::Key_Up: return changeLane(-1);
    case Qt::Key_Down: return changeLane(1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(std::clamp(middle, 0.0, double(width())), 2);
    case Qt::Key_Minus: return zoom(std::clamp(middle, 0.0, double(width())), 0.5);
    case Qt::Key_Home: return showTimes(0, m_end);
    default: QWidget::keyPressEvent(event);
    }
}

void TimelineView::paintRuler(QPainter& painter) const
{
    const Theme& theme = themeOf(*this);
    const double ticks = std::max(1.0, room() / tickDistance);
    const double step = roundStep(m_span / ticks);
    const auto first = std::int64_t(std::ceil(m_from / step));
    const auto last = std::int64_t(std::floor((m_from + m_span) / step));
    for (std::int64_t tick = first; tick <= last; ++tick) {
        const double time = double(tick) * step;
        const double x = xOf(time);
        painter.setPen(theme[Role::Line]);
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRectF(x + textPadding, 0, tickDistance, rulerHeight),
                         Qt::AlignVCenter | Qt::AlignLeft, timeText(time));
    }
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
    const QRectF visible = bar.intersected(lanes()).adjusted(textPadding, 0, -textPadding, 0);
    if (visible.width() < 24 || visible.height() < fontMetrics().height())
        return;
    painter.setPen(colors.text);
    painter.drawText(
        visible, Qt::AlignVCenter | Qt::AlignLeft,
        fontMetrics().elidedText(plainText(node.name), Qt::ElideLeft, int(visible.width())));
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
