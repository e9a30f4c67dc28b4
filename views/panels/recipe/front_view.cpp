// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/front_view.h"

#include "transforms/accuracy/autopilot_choice.h"
#include "transforms/accuracy/expected_loss.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/models/recipe/autopilot_text.h"
#include "views/panels/base/theme_of.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double labelGap = 8;
constexpr double labelHeight = 16;
constexpr double bottomMargin = 38;
constexpr double topMargin = 14;
constexpr double rightMargin = 20;
constexpr double radius = 4.5;
constexpr double beatenRadius = 3;
constexpr double reach = 5; // pixels beside a disk that still count as a click on it

// Returns 1, 2 or 5 times a power of ten, so that about `count` steps fit.
double stepOf(double from, double to, int count)
{
    const double least = (to - from) / std::max(count, 1);
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least)
            return factor * power;
    return 10 * power;
}

// Returns the lowest SQNR at which the expected loss is within the limit of the search.
double decibelsOf(const AutopilotOptions& limits)
{
    if (limits.leastDb)
        return *limits.leastDb;
    constexpr int most = 120;
    for (int decibels = 0; decibels < most; ++decibels)
        if (expectedLoss(decibels) <= limits.mostLoss)
            return decibels;
    return most;
}

} // namespace

FrontView::FrontView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"autopilotFront"_s);
    setAccessibleName(u"Files by size and accuracy"_s);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 110);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FrontView::setFound(AutopilotPtr found, const AutopilotOptions& limits)
{
    m_found = std::move(found);
    m_limits = limits;
    if (m_current && (!m_found || *m_current >= m_found->points.size()))
        m_current.reset();
    fitRanges();
    setAccessibleDescription(text());
    update();
}

void FrontView::setCurrent(std::optional<std::size_t> point)
{
    m_current = point && m_found && *point < m_found->points.size() ? point : std::nullopt;
    setAccessibleDescription(m_current ? nameOf(m_found->points[*m_current]) + u"; "_s + text()
                                       : text());
    update();
}

double FrontView::sizeOf(const AutopilotPoint& point) const
{
    return double(lapidary::sizeOf(point, m_limits));
}

// The horizontal axis is logarithmic: a factor has the same width everywhere. Files that are exact,
// or far better than necessary, are drawn at the upper end.
void FrontView::fitRanges()
{
    constexpr double room = 0.08; // of the range, at each side
    constexpr double leastReach = 4;
    if (!m_found || m_found->points.empty())
        return;
    bool isFirst = true;
    for (const AutopilotPoint& point : m_found->points) {
        const double bytes = sizeOf(point);
        m_bytes = isFirst ? Range{bytes, bytes}
                          : Range{std::min(m_bytes.from, bytes), std::max(m_bytes.to, bytes)};
        isFirst = false;
    }
    m_bytes.from = std::max(m_bytes.from, 1.0);
    const double wide = std::max(m_bytes.to / m_bytes.from, 1 + room);
    m_bytes = {m_bytes.from / std::pow(wide, room), m_bytes.to * std::pow(wide, room)};
    isFirst = true;
    for (const AutopilotPoint& point : m_found->points) {
        const double decibels = point.noise.sqnrDb();
        if (!std::isfinite(decibels))
            continue;
        m_decibels =
            isFirst ? Range{decibels, decibels}
                    : Range{std::min(m_decibels.from, decibels), std::max(m_decibels.to, decibels)};
        isFirst = false;
    }
    if (isFirst)
        m_decibels = {};
    constexpr double enough = 60;
    const double most = std::max(enough, m_limits.leastDb.value_or(0) + leastReach);
    m_decibels.to = std::min(m_decibels.to, std::max(most, m_decibels.from + leastReach));
    const double high = std::max(m_decibels.to - m_decibels.from, leastReach);
    m_decibels = {m_decibels.from - high * room, m_decibels.to + high * 2 * room};
}

QString FrontView::text() const
{
    if (!m_found)
        return u"nothing was searched"_s;
    const auto files = std::int64_t(m_found->points.size());
    const QString model = amountText(double(m_limits.isTimed() ? m_found->nanoseconds
                                            : isCompressed()   ? m_found->gzipBytes
                                                               : m_found->bytes));
    return u"%1 built and run, %2 beaten by none; the model: %3"_s.arg(
        counted(files, u"file"_s), exactText(std::int64_t(m_found->front.size())), model);
}

QRectF FrontView::plot() const
{
    const double names = fontMetrics().horizontalAdvance(u"100 dB"_s) + 2 * labelGap;
    return QRectF(rect()).adjusted(names, topMargin, -rightMargin, -bottomMargin);
}

double FrontView::across(double bytes) const
{
    const QRectF area = plot();
    return area.left() +
           std::log(bytes / m_bytes.from) / std::log(m_bytes.to / m_bytes.from) * area.width();
}

double FrontView::up(double decibels) const
{
    const QRectF area = plot();
    const double share = (decibels - m_decibels.from) / (m_decibels.to - m_decibels.from);
    return area.bottom() - std::clamp(share, 0.0, 1.0) * area.height();
}

QPointF FrontView::placeOf(const AutopilotPoint& point) const
{
    return {across(sizeOf(point)), up(point.noise.sqnrDb())};
}

bool FrontView::isOnFront(std::size_t point) const
{
    return std::ranges::find(m_found->front, point) != m_found->front.end();
}

std::optional<std::size_t> FrontView::pointAt(const QPointF& position) const
{
    std::optional<std::size_t> nearest;
    double least = radius + reach;
    for (std::size_t i = 0; m_found && i < m_found->points.size(); ++i) {
        const QPointF away = placeOf(m_found->points[i]) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance > least)
            continue;
        nearest = i;
        least = distance;
    }
    return nearest;
}

QString FrontView::amountText(double amount) const
{
    return m_limits.isTimed() ? timeText(amount) : bytesText(std::uint64_t(amount));
}

QString FrontView::nameOf(const AutopilotPoint& point) const
{
    return amountText(sizeOf(point)) + u" \u00B7 "_s + decibelText(point.noise.sqnrDb());
}

QString FrontView::tip(std::size_t point) const
{
    const AutopilotPoint& of = m_found->points[point];
    const QString compressed =
        of.gzipBytes > 0 ? u", %1 compressed"_s.arg(exactText(of.gzipBytes)) : QString();
    QStringList lines{u"%1 bytes%2: %3"_s.arg(exactText(of.bytes), compressed,
                                              isCompressed()
                                                  ? changeText(m_found->gzipBytes, of.gzipBytes)
                                                  : changeText(m_found->bytes, of.bytes)),
                      u"%1, predicted %2; %3"_s.arg(decibelText(of.noise.sqnrDb()),
                                                    decibelText(of.predictedDb), lossText(of)),
                      formsText(of)};
    if (of.nanoseconds > 0)
        lines.prepend(u"%1: %2"_s.arg(timeText(double(of.nanoseconds)),
                                      speedText(m_found->nanoseconds, of.nanoseconds)));
    constexpr int mostLines = 6;
    if (m_current && *m_current != point)
        if (const QString text = differenceText(m_found->points[*m_current], of, mostLines);
            !text.isEmpty())
            lines.append(text);
    return lines.join(u'\n');
}

void FrontView::choose(std::size_t point)
{
    setCurrent(point);
    emit pointChosen(point);
}

// Selects the next file by size, or by accuracy.
void FrontView::step(int by, bool isUp)
{
    std::vector<std::size_t> order(m_found->points.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
        const AutopilotPoint& point = m_found->points[i];
        return isUp ? point.noise.sqnrDb() : sizeOf(point);
    });
    if (!m_current)
        return choose(by > 0 ? order.front() : order.back());
    const auto place = std::ranges::find(order, *m_current) - order.begin() + by;
    if (place >= 0 && place < std::ptrdiff_t(order.size()))
        choose(order[std::size_t(place)]);
}

bool FrontView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto point = pointAt(help->pos()))
        QToolTip::showText(help->globalPos(), tip(*point), this);
    else
        QToolTip::hideText();
    return true;
}

void FrontView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto point = pointAt(event->position()))
        choose(*point);
}

void FrontView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto point = pointAt(event->position()))
        emit pointActivated(*point);
}

void FrontView::keyPressEvent(QKeyEvent* event)
{
    if (!m_found || m_found->points.empty())
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return step(-1, false);
    case Qt::Key_Right: return step(1, false);
    case Qt::Key_Down: return step(-1, true);
    case Qt::Key_Up: return step(1, true);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current)
            emit pointActivated(*m_current);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void FrontView::paintAxes(QPainter& painter) const
{
    const Theme& theme = themeOf(*this);
    const QRectF area = plot();
    constexpr double labelWidth = 88;
    constexpr double rowHeight = 36;
    const double bytes = stepOf(m_bytes.from, m_bytes.to, int(area.width() / labelWidth));
    for (double at = std::ceil(m_bytes.from / bytes) * bytes; at <= m_bytes.to; at += bytes) {
        const double x = across(at);
        painter.setPen(theme[Role::Line]);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRectF(x - labelWidth / 2, area.bottom() + 2, labelWidth, labelHeight),
                         Qt::AlignHCenter | Qt::AlignTop, amountText(at));
    }
    const double decibels = stepOf(m_decibels.from, m_decibels.to, int(area.height() / rowHeight));
    for (double at = std::ceil(m_decibels.from / decibels) * decibels; at <= m_decibels.to;
         at += decibels) {
        const double y = up(at);
        painter.setPen(theme[Role::Line]);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRectF(0, y - labelHeight / 2, area.left() - labelGap, labelHeight),
                         Qt::AlignRight | Qt::AlignVCenter, u"%1 dB"_s.arg(at));
    }
    const QString title = isCompressed() ? u"compressed; "_s + text() : text();
    const QRectF line(labelGap, height() - labelHeight - 2, area.right() - labelGap, labelHeight);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(title, Qt::ElideRight, int(line.width())));
}

// If the loss is measured on data, only the limit of the size is a line of this plot.
void FrontView::paintBudget(QPainter& painter) const
{
    const Theme& theme = themeOf(*this);
    const QRectF area = plot();
    const auto most = mostSize(m_limits);
    const bool isByNoise = m_limits.leastDb || m_found->points.front().isEstimated;
    const double right =
        most ? std::clamp(across(std::max(double(*most), 1.0)), area.left(), area.right())
             : area.right();
    const double bottom = isByNoise ? up(decibelsOf(m_limits)) : area.bottom();
    const QRectF corner(area.topLeft(), QPointF(right, bottom));
    if (corner.width() <= 0 || corner.height() <= 0)
        return;
    QColor fill = theme[Role::Good];
    fill.setAlphaF(0.10F);
    painter.fillRect(corner, fill);
    painter.setPen(QPen(theme[Role::Good], 1, Qt::DashLine));
    if (right < area.right())
        painter.drawLine(corner.topRight(), corner.bottomRight());
    if (bottom < area.bottom())
        painter.drawLine(corner.bottomLeft(), corner.bottomRight());
    painter.setPen(theme[Role::TextMuted]);
    painter.drawText(corner.adjusted(6, 2, -4, -2), Qt::AlignLeft | Qt::AlignTop,
                     u"holds the budget"_s);
}

void FrontView::paintLine(QPainter& painter) const
{
    QPainterPath path;
    for (std::size_t i = 0; i < m_found->front.size(); ++i) {
        const QPointF place = placeOf(m_found->points[m_found->front[i]]);
        if (i == 0)
            path.moveTo(place);
        else
            path.lineTo(place);
    }
    painter.setPen(QPen(themeOf(*this)[Role::Accent], 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void FrontView::paintPoint(QPainter& painter, std::size_t point) const
{
    const Theme& theme = themeOf(*this);
    const AutopilotPoint& of = m_found->points[point];
    const bool isFront = isOnFront(point);
    const auto most = mostSize(m_limits);
    const bool holds =
        holdsAccuracy(of, m_limits) && (!most || lapidary::sizeOf(of, m_limits) <= *most);
    const QColor color = theme[isFront && holds ? Role::Accent : Role::Edge];
    const QPointF place = placeOf(of);
    painter.setBrush(color);
    painter.setPen(QPen(theme[Role::Surface], 1));
    const double size = isFront ? radius : beatenRadius;
    painter.drawEllipse(place, size, size);
    painter.setBrush(Qt::NoBrush);
    if (point == m_found->chosen) {
        painter.setPen(QPen(theme[Role::Accent], 1.5));
        painter.drawEllipse(place, radius + 3.5, radius + 3.5);
    }
    if (point == m_current) {
        painter.setPen(QPen(theme[Role::Text], 2));
        painter.drawEllipse(place, size + 1, size + 1);
    }
}

void FrontView::paintName(QPainter& painter, std::size_t point) const
{
    const Theme& theme = themeOf(*this);
    const QPointF place = placeOf(m_found->points[point]);
    const QString name =
        nameOf(m_found->points[point]) + (point == m_found->chosen ? u", chosen"_s : QString());
    const double wide = painter.fontMetrics().horizontalAdvance(name) + 8;
    const double gap = radius + 7;
    const double right = place.x() + gap;
    const double left = place.x() - gap - wide;
    const double low = place.y() - 2;
    const double high = place.y() - labelHeight - 4;
    // At the corner where it covers the fewest files; a front rises to the right.
    QRectF box;
    std::ptrdiff_t least = PTRDIFF_MAX;
    for (const QPointF& corner :
         {QPointF(right, low), QPointF(left, high), QPointF(right, high), QPointF(left, low)}) {
        const QRectF at(corner, QSizeF(wide, labelHeight));
        if (at.left() < plot().left() || at.right() > plot().right() + 4 ||
            at.bottom() > plot().bottom() + 2)
            continue;
        const auto covered =
            std::ranges::count_if(m_found->points, [&](const AutopilotPoint& other) {
                return at.adjusted(-radius, -radius, radius, radius).contains(placeOf(other));
            });
        if (covered >= least)
            continue;
        least = covered;
        box = at;
    }
    QColor fill = theme[Role::Surface];
    fill.setAlphaF(0.85F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(theme[Role::Text]);
    painter.drawText(box, Qt::AlignCenter, name);
}

void FrontView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(*this);
    painter.fillRect(rect(), theme[Role::Surface]);
    if (!m_found || m_found->points.empty()) {
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap,
                         m_found ? u"No file was built yet."_s
                                 : u"Every file that the search builds and runs is a point here: "
                                   u"its size across, its accuracy up."_s);
    } else {
        painter.setRenderHint(QPainter::Antialiasing);
        paintBudget(painter);
        paintAxes(painter);
        paintLine(painter);
        for (const bool isFront : {false, true}) // files of the front on top of the others
            for (std::size_t i = 0; i < m_found->points.size(); ++i)
                if (isOnFront(i) == isFront)
                    paintPoint(painter, i);
        if (m_current || m_found->chosen)
            paintName(painter, m_current ? *m_current : *m_found->chosen);
    }
    if (hasFocus()) {
        painter.setPen(theme[Role::Accent]);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace lapidary
