// SPDX-License-Identifier: Apache-2.0
#include "views/panels/profile/timeline_view.h"

#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double laneHeight = 44;
constexpr double leastLane = 9;
constexpr double leastSpan = 1000; // nanoseconds that the closest zoom shows
constexpr double gutterWidth = 120;

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
    m_axis = m_sums ? FoldedTime(slices()) : FoldedTime();
    m_end = std::max(leastSpan, m_axis.onAxis(m_axis.end()));
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
        counted(std::int64_t(m_ofLane.size()), u"lane"_s), timeText(m_axis.end()),
        timeText(m_critical), timeText(m_axis.timeAt(m_from)),
        timeText(m_axis.timeAt(m_from + m_span)));
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
    return xOfPlace(m_axis.onAxis(time));
}

double TimelineView::xOfPlace(double place) const
{
    return gutter() + (place - m_from) / m_span * room();
}

double TimelineView::placeAt(double x) const
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
    const double fixed = placeAt(x);
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
    const double share = m_busy[at.lane] / std::max(m_axis.end(), 1.0);
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
        const double begin = m_axis.onAxis(double(slice.startNanoseconds));
        const double end = m_axis.onAxis(double(slice.end()));
        if (end < m_from || begin > m_from + m_span)
            showTimes((begin + end - m_span) / 2, m_span);
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
    else if (const auto* const gap = gapAt(help->pos().x()))
        QToolTip::showText(help->globalPos(), u"Nothing ran for %1."_s.arg(timeText(gap->length())),
                           this);
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
    m_dragged = placeAt(event->position().x());
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

const FoldedTime::Gap* TimelineView::gapAt(double x) const
{
    const auto found = std::ranges::find_if(m_axis.gaps(), [&](const FoldedTime::Gap& gap) {
        return x >= xOf(gap.begin) && x <= xOf(gap.end);
    });
    return found == m_axis.gaps().end() ? nullptr : &*found;
}

} // namespace lapidary
