// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/boxes_view.h"

#include "views/models/display_text.h"
#include "views/panels/base/theme_of.h"

#include <QPainter>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::size_t mostDrawn = 300;
constexpr qsizetype mostNamed = 20;
constexpr std::int64_t hues = 12;

FamilyColors colorsOf(const Theme& theme, const DetectedBox& box)
{
    return theme.classColors(int(std::abs(box.ofClass.value_or(0) % hues)));
}

} // namespace

BoxesView::BoxesView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"valueBoxes"_s);
    setAccessibleName(u"Boxes over the picture"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void BoxesView::setPicture(QImage picture)
{
    m_picture = std::move(picture);
    renew();
}

void BoxesView::setBoxes(std::vector<DetectedBox> boxes)
{
    m_boxes = std::move(boxes);
    renew();
}

void BoxesView::setLabels(QStringList labels)
{
    m_labels = std::move(labels);
    renew();
}

void BoxesView::setFault(QString why)
{
    m_fault = std::move(why);
    renew();
}

void BoxesView::renew()
{
    setAccessibleDescription(text());
    update();
}

QString BoxesView::labelOf(const DetectedBox& box) const
{
    const QString score = QString::number(box.score, 'f', 2);
    if (!box.ofClass)
        return score;
    const bool hasLabel = *box.ofClass >= 0 && *box.ofClass < m_labels.size();
    const QString name = hasLabel ? m_labels[*box.ofClass] : u"class %1"_s.arg(*box.ofClass);
    return name + u' ' + score;
}

QString BoxesView::text() const
{
    if (!m_fault.isEmpty())
        return m_fault;
    QStringList names;
    for (const DetectedBox& box : m_boxes)
        if (names.size() < mostNamed)
            names.append(labelOf(box));
    const QString count = counted(std::int64_t(m_boxes.size()), u"box"_s, u"boxes"_s);
    return names.isEmpty() ? count : count + u": "_s + names.join(u", "_s);
}

QRectF BoxesView::area() const
{
    const QSizeF full = m_picture.isNull() ? QSizeF(1, 1) : QSizeF(m_picture.size());
    const QSizeF size = full.scaled(QSizeF(this->size()), Qt::KeepAspectRatio);
    return {0, (height() - size.height()) / 2, size.width(), size.height()};
}

void BoxesView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(*this);
    painter.fillRect(rect(), theme[Role::Canvas]);
    if (!m_fault.isEmpty()) {
        painter.setPen(theme[Role::Problem]);
        painter.drawText(rect().adjusted(0, 4, 0, 0), Qt::TextWordWrap, m_fault);
        return;
    }
    const QRectF place = area();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (m_picture.isNull()) {
        painter.setPen(theme[Role::Line]);
        painter.drawRect(place.adjusted(0, 0, -1, -1));
    } else {
        painter.drawImage(place, m_picture);
    }
    painter.setClipRect(place);
    const std::size_t drawn = std::min(m_boxes.size(), mostDrawn);
    const auto frameOf = [&](const DetectedBox& box) {
        return QRectF(
            place.left() + box.left * place.width(), place.top() + box.top * place.height(),
            (box.right - box.left) * place.width(), (box.bottom - box.top) * place.height());
    };
    for (std::size_t i = drawn; i-- > 0;) { // the best ones on top
        painter.setPen(QPen(colorsOf(theme, m_boxes[i]).outline, 2));
        painter.drawRect(frameOf(m_boxes[i]));
    }
    // If labels would cover each other, only the better box gets one.
    std::vector<QRectF> signs;
    for (std::size_t i = 0; i < drawn; ++i) {
        const QString label = labelOf(m_boxes[i]);
        const QSizeF size(painter.fontMetrics().horizontalAdvance(label) + 8,
                          painter.fontMetrics().height() + 2);
        const QRectF frame = frameOf(m_boxes[i]);
        const QRectF sign(QPointF(std::max(frame.left(), place.left()),
                                  std::max(frame.top() - size.height(), place.top())),
                          size);
        if (std::ranges::any_of(signs, [&](const QRectF& other) { return other.intersects(sign); }))
            continue;
        signs.push_back(sign);
        const FamilyColors colors = colorsOf(theme, m_boxes[i]);
        painter.fillRect(sign, colors.fill);
        painter.setPen(colors.text);
        painter.drawText(sign, Qt::AlignCenter, label);
    }
    painter.setClipping(false);
    paintList(painter, QRectF(QPointF(place.right() + 16, 0), QPointF(width(), height())));
}

void BoxesView::paintList(QPainter& painter, const QRectF& room) const
{
    constexpr double swatch = 10;
    const Theme& theme = themeOf(*this);
    const double line = painter.fontMetrics().height() + 4;
    const auto rows = std::size_t(std::max(room.height() / line, 0.0));
    double left = room.left();
    for (std::size_t first = 0; rows > 0 && first < m_boxes.size(); first += rows) {
        const std::size_t end = std::min(first + rows, m_boxes.size());
        double wide = 0;
        for (std::size_t i = first; i < end; ++i)
            wide = std::max(wide,
                            double(painter.fontMetrics().horizontalAdvance(labelOf(m_boxes[i]))));
        if (left + swatch + 6 + wide > room.right())
            return;
        for (std::size_t i = first; i < end; ++i) {
            const double top = double(i - first) * line;
            const FamilyColors colors = colorsOf(theme, m_boxes[i]);
            const QRectF sign(left, top + (line - swatch) / 2, swatch, swatch);
            painter.fillRect(sign, colors.fill);
            painter.setPen(QPen(colors.outline, 1.5));
            painter.drawRect(sign);
            painter.setPen(theme[Role::Text]);
            painter.drawText(QRectF(left + swatch + 6, top, wide + 2, line), Qt::AlignVCenter,
                             labelOf(m_boxes[i]));
        }
        left += swatch + 6 + wide + 20;
    }
}

} // namespace lapidary
