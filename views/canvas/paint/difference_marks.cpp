// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/difference_marks.h"

#include "views/canvas/paint/box_painter.h"

#include <QPainterPath>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace lapidary {
namespace {

constexpr double smallestSign = 0.3; // below this zoom, signs would be too small to see
// below this height on screen a box is filled instead of ringed
constexpr double flatHeight = 9;

constexpr std::array<DifferenceSign, 4> signs{{
    {"+", Role::Added, "added"},
    {"\u2212", Role::Removed, "removed"},
    {"~", Role::Changed, "changed"},
    {"\u2192", Role::Moved, "renamed"},
}};

std::array<std::uint32_t, 4> countsOf(const DifferenceCounts& counts)
{
    return {counts.added, counts.removed, counts.changed, counts.renamed};
}

// Returns the kind that a box shows by its outline: its only one, or else "changed".
std::size_t outlineKind(const std::array<std::uint32_t, 4>& counts)
{
    const auto kinds = std::ranges::count_if(counts, [](std::uint32_t n) { return n > 0; });
    if (kinds != 1)
        return 2;
    return std::size_t(std::ranges::find_if(counts, [](std::uint32_t n) { return n > 0; }) -
                       counts.begin());
}

// At this size, the character "~" looks like a minus sign, so the sign is drawn.
constexpr double waveWidth = 7;
constexpr double overOp = 0.85; // of a sign's height

void paintWave(const PaintContext& c, QPointF center, double scale)
{
    const auto at = [&](double x, double y) { return center + QPointF(x, y) * scale; };
    QPainterPath wave(at(-waveWidth / 2, 1));
    wave.cubicTo(at(-1.5, -4.5), at(1.5, 4.5), at(waveWidth / 2, -1));
    c.painter.setPen(QPen(c.theme[Role::MarkText], 1.4 * scale, Qt::SolidLine, Qt::RoundCap));
    c.painter.setBrush(Qt::NoBrush);
    c.painter.drawPath(wave);
}

struct Pill {
    std::size_t kind = 0; // of `signs`
    std::string text;
    double inner = 0; // width of the sign and the text
    double width = 0;
    double offset = 0; // of the left end, in the row
};

// The signs of one box, side by side.
struct SignRow {
    std::vector<Pill> pills;
    QSizeF size;
};

double beside(std::size_t kind, double scale)
{
    return signs[kind].role == Role::Changed ? (waveWidth + 1) * scale : 0;
}

SignRow signRow(const PaintContext& c, double scale, const std::array<std::uint32_t, 4>& counts)
{
    SignRow row{.pills = {}, .size = QSizeF(0, 15 * scale)};
    const bool isMany = std::ranges::any_of(counts, [](std::uint32_t n) { return n > 1; }) ||
                        std::ranges::count_if(counts, [](std::uint32_t n) { return n > 0; }) > 1;
    for (std::size_t kind = 0; kind < signs.size(); ++kind) {
        if (counts[kind] == 0)
            continue;
        const std::string sign = signs[kind].role == Role::Changed ? "" : signs[kind].sign;
        Pill pill{.kind = kind, .text = isMany ? sign + std::to_string(counts[kind]) : sign};
        pill.inner = c.texts.width(pill.text, TextRole::Muted) * scale + beside(kind, scale);
        pill.width = std::max(row.size.height(), pill.inner + 9 * scale);
        pill.offset = row.size.width() + (row.pills.empty() ? 0 : 2 * scale);
        row.size.setWidth(pill.offset + pill.width);
        row.pills.push_back(std::move(pill));
    }
    return row;
}

// The labels of edges that are in view, for signs to keep clear of.
class Labels {
public:
    Labels(const PaintContext& c, const QRectF& seen)
    {
        for (const SceneEdge& edge : c.scene.edges) {
            const TextRole role = edge.isInferred ? TextRole::InferredLabel : TextRole::EdgeLabel;
            const QRectF place = c.toScreen(edge.labelRect);
            if (edge.label.empty() || edge.labelRect.w <= 0 || !seen.intersects(place) ||
                textOpacity(role, c.scale) <= 0)
                continue;
            m_places.push_back(place);
            m_height = std::max(m_height, place.height());
        }
        std::ranges::sort(m_places, {}, [](const QRectF& place) { return place.top(); });
    }

    // The area of labels that a rectangle would cover. O(log n) and those at its height.
    double covered(const QRectF& by) const
    {
        double area = 0;
        for (auto at = std::ranges::lower_bound(m_places, by.top() - m_height, {},
                                                [](const QRectF& place) { return place.top(); });
             at != m_places.end() && at->top() < by.bottom(); ++at) {
            const QRectF both = at->intersected(by);
            area += both.isEmpty() ? 0 : both.width() * both.height();
        }
        return area;
    }

private:
    std::vector<QRectF> m_places; // on screen, from top to bottom
    double m_height = 0;          // of the highest
};

// Returns where signs are: at the right end of the upper edge of a box, or else, if that covers the
// label of an edge, at the first of the other ends that does not. On the edge of a group, whose
// name is inside, and outside of that of an op, so that its name is not covered.
QPointF placeOfSigns(const QRectF& shape, bool isOp, const QSizeF& size, double scale,
                     const Labels& labels)
{
    const double right = shape.right() + 6 * scale - size.width();
    const double left = shape.left() - 6 * scale;
    const double outside = size.height() * (isOp ? overOp : 0.5);
    const double top = shape.top() - outside;
    const double bottom = shape.bottom() - size.height() + outside;
    QPointF best(right, top);
    double least = labels.covered(QRectF(best, size));
    for (const QPointF place :
         {QPointF(left, top), QPointF(right, bottom), QPointF(left, bottom)}) {
        if (least <= 0)
            break;
        const double covered = labels.covered(QRectF(place, size));
        if (covered < least) {
            least = covered;
            best = place;
        }
    }
    return best;
}

void paintSigns(const PaintContext& c, const QRectF& shape, bool isOp,
                const std::array<std::uint32_t, 4>& counts, const Labels& labels)
{
    const double scale = std::max(c.scale, 0.6);
    const SignRow row = signRow(c, scale, counts);
    const QPointF place = placeOfSigns(shape, isOp, row.size, scale, labels);
    const double height = row.size.height();
    for (const Pill& one : row.pills) {
        const QRectF pill(place.x() + one.offset, place.y(), one.width, height);
        c.painter.setPen(QPen(c.theme[Role::Canvas], scale));
        c.painter.setBrush(c.theme[signs[one.kind].role]);
        c.painter.drawRoundedRect(pill, height / 2, height / 2);
        const double shift = beside(one.kind, scale);
        if (shift > 0)
            paintWave(c, {pill.center().x() - (one.inner - shift) / 2, pill.center().y()}, scale);
        c.painter.setPen(c.theme[Role::MarkText]);
        c.texts.draw(c.painter,
                     {one.text, TextRole::Muted, TextCache::Align::Center,
                      pill.center() + QPointF(shift / 2, 0), 4 * one.width},
                     scale);
    }
}

} // namespace

std::span<const DifferenceSign, 4> differenceSigns()
{
    return signs;
}

void paintDifferences(const PaintContext& c, const DifferenceMarks& marks)
{
    const QRectF window(c.painter.window());
    const double margin = 24 * std::max(c.scale, 0.6);
    const QRectF seen = window.adjusted(-margin, -margin, margin, margin);
    const Labels labels(c, seen);
    for (const auto& [item, counts] : marks) {
        const auto at = c.scene.boxOf.find(item);
        if (at == c.scene.boxOf.end())
            continue;
        const QRectF shape = c.crisp(c.rects[at->second]);
        if (!seen.intersects(shape))
            continue;
        const auto numbers = countsOf(counts);
        const std::size_t kind = outlineKind(numbers);
        const QColor& color = c.theme[signs[kind].role];
        if (shape.height() < flatHeight) {
            c.painter.fillRect(shape, color);
            continue;
        }
        // Removed items have a dashed outline, besides their sign.
        const Qt::PenStyle style = signs[kind].role == Role::Removed ? Qt::DashLine : Qt::SolidLine;
        c.painter.setPen(QPen(color, std::max(1.5, 2 * c.scale), style));
        c.painter.setBrush(Qt::NoBrush);
        c.painter.drawPath(boxOutline(c, at->second, 0.5));
        if (c.scale >= smallestSign)
            paintSigns(c, shape, c.scene.boxes[at->second].kind == BoxKind::Op, numbers, labels);
    }
}

} // namespace lapidary
