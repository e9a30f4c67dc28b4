// SPDX-License-Identifier: Apache-2.0
#include "views/panels/profile/roofline_view.h"

#include "graph_model/ops/op_registry.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/panels/base/theme_of.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double labelGap = 8;
constexpr double bottomMargin = 36;
constexpr double labelHeight = 16;
constexpr double topMargin = 20; // for the name of the roof
constexpr double rightMargin = 14;
constexpr double leastRadius = 3;
constexpr double mostRadius = 12;
constexpr double reach = 4; // pixels beside a disk that still count as a click on it

QString rateText(double rate)
{
    return flopsText(std::llround(rate)) + u"/s"_s;
}

QString trafficText(double bytes)
{
    return bytesText(std::uint64_t(bytes)) + u"/s"_s;
}

} // namespace

RooflineView::RooflineView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"profileRoofline"_s);
    setAccessibleName(u"Roofline of the nodes"_s);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void RooflineView::setPoints(ProfileSumsPtr sums, std::vector<RooflinePoint> points)
{
    m_sums = std::move(sums);
    m_points = std::move(points);
    m_isSelected.assign(m_points.size(), false);
    m_current.reset();
    renew();
}

void RooflineView::setPeaks(const std::optional<MachinePeaks>& peaks, const QString& why)
{
    m_peaks = peaks;
    m_why = why;
    renew();
}

double RooflineView::roofAt(double intensity) const
{
    return m_peaks ? std::min(m_peaks->flops, intensity * m_peaks->bytes) : 0;
}

// Fits the axes to the points and the bend of the roof, with a margin around them.
void RooflineView::renew()
{
    constexpr double room = 0.3; // of a decade
    m_across = {};
    m_up = {};
    bool isFirst = true;
    const auto include = [&](double intensity, double rate) {
        const double x = std::log10(intensity);
        const double y = std::log10(rate);
        m_across =
            isFirst ? Range{x, x} : Range{std::min(m_across.from, x), std::max(m_across.to, x)};
        m_up = isFirst ? Range{y, y} : Range{std::min(m_up.from, y), std::max(m_up.to, y)};
        isFirst = false;
    };
    for (const RooflinePoint& point : m_points)
        include(point.intensity, point.rate);
    if (m_peaks && !isFirst)
        include(m_peaks->flops / m_peaks->bytes, m_peaks->flops);
    m_across = {m_across.from - room, m_across.to + room};
    m_up = {m_up.from - room, m_up.to + 2 * room}; // leaves space for the text above the roof
    setAccessibleDescription(text());
    update();
}

// Returns the reason why the plot is empty, and what to do.
QString RooflineView::whyEmpty() const
{
    if (!m_sums)
        return u"no points"_s;
    const bool isCounted =
        std::ranges::any_of(m_sums->profile().nodes,
                            [](const ProfiledNode& node) { return node.flops.value_or(0) > 0; });
    if (!isCounted)
        return u"No points: this profile does not say how many operations its nodes make. A run "
               u"here "
               u"(F5) counts those of convolutions and products of matrices."_s;
    return u"No points: the sizes of what the nodes with a count of operations read are not known. "
           u"Give the shapes of the inputs in Interface, or run the graph here (F5)."_s;
}

QString RooflineView::text() const
{
    if (m_points.empty())
        return whyEmpty();
    QString text = counted(std::int64_t(m_points.size()), u"node"_s);
    if (!m_peaks)
        return text + u"; "_s + m_why;
    return text + u"; peaks measured with %1: %2 and %3; memory is the limit of %4"_s.arg(
                      counted(m_peaks->threads, u"thread"_s), rateText(m_peaks->flops),
                      trafficText(m_peaks->bytes), counted(waiting(), u"node"_s));
}

// The number of nodes for which memory is the limit.
std::int64_t RooflineView::waiting() const
{
    const double bend = m_peaks->flops / m_peaks->bytes;
    return std::ranges::count_if(
        m_points, [bend](const RooflinePoint& point) { return point.intensity < bend; });
}

QRectF RooflineView::plot() const
{
    const double names = fontMetrics().horizontalAdvance(u"1000 MFLOP/s"_s) + 2 * labelGap;
    return QRectF(rect()).adjusted(names, topMargin, -rightMargin, -bottomMargin);
}

QPointF RooflineView::at(double intensity, double rate) const
{
    // Leaves space for a whole disk at each side.
    const QRectF area = plot().adjusted(mostRadius, 0, -mostRadius, -mostRadius);
    const double x = (std::log10(intensity) - m_across.from) / (m_across.to - m_across.from);
    const double y = (std::log10(rate) - m_up.from) / (m_up.to - m_up.from);
    return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

// Returns the radius of a disk whose area is the node's share of the time.
double RooflineView::radiusOf(const RooflinePoint& point) const
{
    const double all = double(m_sums->all().nanoseconds);
    const double share = all > 0 ? double(m_sums->profile().nodes[point.row].nanoseconds) / all : 0;
    return std::clamp(mostRadius * std::sqrt(4 * share), leastRadius, mostRadius);
}

std::optional<std::size_t> RooflineView::pointAt(const QPointF& position) const
{
    std::optional<std::size_t> nearest;
    double least = 0;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const QPointF away = placeOf(m_points[i]) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance > radiusOf(m_points[i]) + reach || (nearest && distance >= least))
            continue;
        nearest = i;
        least = distance;
    }
    return nearest;
}

QString RooflineView::tip(std::size_t point) const
{
    const RooflinePoint& of = m_points[point];
    const ProfiledNode& node = m_sums->profile().nodes[of.row];
    QStringList lines{
        plainText(node.name), plainText(node.op),
        u"%1 FLOP for each byte, %2"_s.arg(valueText(of.intensity, 3), rateText(of.rate))};
    if (m_peaks) {
        const bool waits = of.intensity < m_peaks->flops / m_peaks->bytes;
        lines.append(u"%1 of what %2 allows"_s.arg(shareText(of.rate / roofAt(of.intensity)),
                                                   waits ? u"the memory"_s : u"the arithmetic"_s));
    }
    return lines.join(u'\n');
}

void RooflineView::setSelected(const std::vector<NodeId>& nodes)
{
    m_isSelected.assign(m_points.size(), false);
    const std::unordered_set<NodeId> selected(nodes.begin(), nodes.end());
    for (std::size_t i = 0; i < m_points.size(); ++i)
        m_isSelected[i] = selected.contains(m_sums->nodeOf(m_points[i].row));
    if (!m_current || !m_isSelected[*m_current]) {
        const auto first = std::ranges::find(m_isSelected, true);
        m_current = first == m_isSelected.end()
                        ? std::nullopt
                        : std::optional(std::size_t(first - m_isSelected.begin()));
    }
    update();
}

void RooflineView::select(std::size_t point)
{
    m_current = point;
    const NodeId node = m_sums->nodeOf(m_points[point].row);
    setSelected({node});
    emit nodeSelected(node);
}

// Selects the next point along an axis.
void RooflineView::step(double RooflinePoint::*along, bool isForward)
{
    std::vector<std::size_t> order(m_points.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return m_points[a].*along < m_points[b].*along;
    });
    if (!m_current)
        return select(isForward ? order.front() : order.back());
    const auto place = std::ranges::find(order, *m_current) - order.begin();
    const auto next = place + (isForward ? 1 : -1);
    if (next >= 0 && next < std::ptrdiff_t(order.size()))
        select(order[std::size_t(next)]);
}

bool RooflineView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto point = pointAt(help->pos());
    if (point)
        QToolTip::showText(help->globalPos(), tip(*point), this);
    else
        QToolTip::hideText();
    return true;
}

void RooflineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto point = pointAt(event->position()))
        select(*point);
}

void RooflineView::keyPressEvent(QKeyEvent* event)
{
    if (m_points.empty())
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return step(&RooflinePoint::intensity, false);
    case Qt::Key_Right: return step(&RooflinePoint::intensity, true);
    case Qt::Key_Down: return step(&RooflinePoint::rate, false);
    case Qt::Key_Up: return step(&RooflinePoint::rate, true);
    default: QWidget::keyPressEvent(event);
    }
}

void RooflineView::paintAxes(QPainter& painter) const
{
    const Theme& theme = themeOf(*this);
    const QRectF area = plot();
    constexpr double labelWidth = 76;
    for (int power = int(std::ceil(m_across.from)); power <= int(std::floor(m_across.to));
         ++power) {
        const double x = at(std::pow(10, power), 1).x();
        painter.setPen(theme[Role::Line]);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRectF(x - labelWidth / 2, area.bottom() + 2, labelWidth, labelHeight),
                         Qt::AlignHCenter | Qt::AlignTop, valueText(std::pow(10, power), 3));
    }
    for (int power = int(std::ceil(m_up.from)); power <= int(std::floor(m_up.to)); ++power) {
        const double y = at(1, std::pow(10, power)).y();
        painter.setPen(theme[Role::Line]);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRectF(0, y - labelHeight / 2, area.left() - labelGap, labelHeight),
                         Qt::AlignRight | Qt::AlignVCenter, rateText(std::pow(10, power)));
    }
    painter.drawText(
        QRectF(area.left(), height() - labelHeight - 1, area.width(), labelHeight),
        Qt::AlignRight | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(caption(area.width()), Qt::ElideRight, int(area.width())));
}

// Returns the name of the axis and what the plot says; without the peaks, which the lines have too,
// where there is no room for all.
QString RooflineView::caption(double room) const
{
    const QString axis = u"FLOP for each byte; "_s;
    if (!m_peaks || fontMetrics().horizontalAdvance(axis + text()) <= room)
        return axis + text();
    return axis + u"memory is the limit of %1 of %2"_s.arg(waiting()).arg(
                      counted(std::int64_t(m_points.size()), u"node"_s));
}

void RooflineView::paintRoof(QPainter& painter) const
{
    if (!m_peaks)
        return;
    const Theme& theme = themeOf(*this);
    const QRectF area = plot();
    const double bend = m_peaks->flops / m_peaks->bytes;
    const double first = std::pow(10, m_across.from);
    const QPointF corner = at(bend, m_peaks->flops);
    painter.setPen(QPen(theme[Role::TextMuted], 1.5));
    painter.drawLine(at(first, first * m_peaks->bytes), corner);
    painter.drawLine(corner, QPointF(area.right(), corner.y()));
    for (const Label& label : roofLabels())
        painter.drawText(label.place, Qt::AlignCenter, label.text);
}

// Places the labels above the lines, where there are no nodes. That of the memory is where its line
// leaves room for it, or further to the right.
std::vector<RooflineView::Label> RooflineView::roofLabels() const
{
    if (!m_peaks)
        return {};
    constexpr double gap = 6;
    const QRectF area = plot();
    const double bend = m_peaks->flops / m_peaks->bytes;
    const double first = std::pow(10, m_across.from);
    const QPointF low = at(first, first * m_peaks->bytes);
    const QPointF corner = at(bend, m_peaks->flops);
    const auto labelEndingAt = [&](double right, double bottom, const QString& text) {
        const double wide = fontMetrics().horizontalAdvance(text) + 2;
        return Label{{right - wide, bottom - labelHeight, wide, labelHeight}, text};
    };
    const Label arithmetic = labelEndingAt(area.right() - 4, corner.y() - 1,
                                           u"arithmetic "_s + rateText(m_peaks->flops));
    const QString text = u"memory "_s + trafficText(m_peaks->bytes);
    const double leftmost = area.left() + gap + fontMetrics().horizontalAdvance(text) + 2;
    const double right = std::max((low.x() + corner.x()) / 2 - gap, leftmost);
    const double along = std::min((right + gap - low.x()) / (corner.x() - low.x()), 1.0);
    Label memory = labelEndingAt(right, low.y() + along * (corner.y() - low.y()) - 1, text);
    if (memory.place.intersects(arithmetic.place.adjusted(-gap, 0, 0, 0)))
        memory.place.moveBottom(arithmetic.place.top());
    return {arithmetic, memory};
}

void RooflineView::paintPoint(QPainter& painter, std::size_t point) const
{
    const Theme& theme = themeOf(*this);
    const RooflinePoint& of = m_points[point];
    const FamilyColors& colors = theme.family(opFamily(m_sums->profile().nodes[of.row].op));
    const bool isSelected = m_isSelected[point];
    QColor fill = isSelected ? theme[Role::Accent] : colors.outline;
    fill.setAlphaF(isSelected ? 1.0F : 0.45F);
    painter.setBrush(fill);
    painter.setPen(isSelected ? QPen(theme[Role::Text], 2) : QPen(colors.outline, 1.2));
    const QPointF place = placeOf(of);
    const double radius = radiusOf(of) + (isSelected ? 1.5 : 0);
    painter.drawEllipse(place, radius, radius);
    if (!isSelected)
        return;
    const Label label = nameOf(point);
    QColor behind = theme[Role::Surface];
    behind.setAlphaF(0.8F);
    painter.fillRect(label.place, behind);
    painter.drawText(label.place, Qt::AlignCenter, label.text);
}

// Places the name beside its point, or below or above it: where it covers least.
RooflineView::Label RooflineView::nameOf(std::size_t point) const
{
    const RooflinePoint& of = m_points[point];
    const QString name = fontMetrics().elidedText(plainText(m_sums->profile().nodes[of.row].name),
                                                  Qt::ElideLeft, int(width() / 3));
    const double wide = fontMetrics().horizontalAdvance(name) + 2;
    const QPointF place = placeOf(of);
    const double away = radiusOf(of) + 6;
    const QRectF area = plot().adjusted(0, -topMargin, 0, 0);
    const double middle =
        std::max(area.left(), std::min(place.x() - wide / 2, area.right() - wide));
    const std::array<QPointF, 4> corners{{{place.x() + away, place.y() - labelHeight / 2},
                                          {place.x() - away - wide, place.y() - labelHeight / 2},
                                          {middle, place.y() + away},
                                          {middle, place.y() - away - labelHeight}}};
    const std::vector<Label> taken = roofLabels();
    const auto hides = [&](const QRectF& at) { // 0: it hides nothing
        constexpr int points = 1;
        constexpr int text = 2;
        constexpr int edge = 4;
        const bool hidesText = std::ranges::any_of(
            taken, [&](const Label& label) { return label.place.intersects(at); });
        const bool hidesPoint = std::ranges::any_of(m_points, [&](const RooflinePoint& other) {
            const double radius = radiusOf(other);
            return &other != &of &&
                   at.adjusted(-radius, -radius, radius, radius).contains(placeOf(other));
        });
        return (area.contains(at) ? 0 : edge) + (hidesText ? text : 0) + (hidesPoint ? points : 0);
    };
    QRectF best;
    int least = std::numeric_limits<int>::max();
    for (const QPointF& corner : corners) {
        const QRectF at(corner, QSizeF(wide, labelHeight));
        if (const int hidden = hides(at); hidden < least) {
            best = at;
            least = hidden;
        }
    }
    return {best, name};
}

void RooflineView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(*this);
    painter.fillRect(rect(), theme[Role::Surface]);
    if (m_points.empty()) {
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignTop | Qt::TextWordWrap,
                         whyEmpty());
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    painter.setClipRect(plot().adjusted(0, -topMargin, 0, 0));
    paintRoof(painter);
    for (const bool selected : {false, true}) // selected ones on top of the others
        for (std::size_t i = 0; i < m_points.size(); ++i)
            if (m_isSelected[i] == selected)
                paintPoint(painter, i);
    painter.setClipping(false);
    if (hasFocus()) {
        painter.setPen(theme[Role::Accent]);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace lapidary
