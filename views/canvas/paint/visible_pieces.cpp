// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/visible_pieces.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lapidary {
namespace {

constexpr int mostHalvings = 16;

struct Piece {
    std::array<QPointF, 4> points; // a line uses only the first and the last
    bool isLine = false;
    int halvings = 0;

    QRectF bounds() const
    {
        const auto [left, right] =
            std::minmax({points[0].x(), points[1].x(), points[2].x(), points[3].x()});
        const auto [top, bottom] =
            std::minmax({points[0].y(), points[1].y(), points[2].y(), points[3].y()});
        return {QPointF(left, top), QPointF(right, bottom)};
    }
};

// QRectF::intersects() is false for rectangles without area, such as those of straight lines.
bool meets(const QRectF& a, const QRectF& b)
{
    return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom() &&
           b.top() <= a.bottom();
}

// De Casteljau's construction at one half.
std::array<Piece, 2> halves(const Piece& piece)
{
    const auto& p = piece.points;
    const QPointF a = (p[0] + p[1]) / 2;
    const QPointF b = (p[1] + p[2]) / 2;
    const QPointF c = (p[2] + p[3]) / 2;
    const QPointF ab = (a + b) / 2;
    const QPointF bc = (b + c) / 2;
    const QPointF middle = (ab + bc) / 2;
    const int halvings = piece.halvings + 1;
    return {Piece{{p[0], a, ab, middle}, piece.isLine, halvings},
            Piece{{middle, bc, c, p[3]}, piece.isLine, halvings}};
}

class Collector {
public:
    Collector(const QRectF& area, bool dashed)
        : m_area(area)
        , m_largest(2 * std::max({area.width(), area.height(), 1.0}))
        , m_dashed(dashed)
    {
    }

    void add(const Piece& piece)
    {
        m_open.assign(1, piece);
        while (!m_open.empty()) {
            const Piece next = m_open.back();
            m_open.pop_back();
            const QRectF bounds = next.bounds();
            if (!meets(bounds, m_area))
                continue;
            const bool isLarge = std::max(bounds.width(), bounds.height()) > m_largest;
            if (!isLarge || next.halvings == mostHalvings) {
                draw(next);
                continue;
            }
            const auto [first, second] = halves(next);
            // A stack: pushing the second half first keeps the order of the line.
            m_open.push_back(second);
            m_open.push_back(first);
        }
    }

    [[nodiscard]] const QPainterPath& path() const { return m_path; }

private:
    void draw(const Piece& piece)
    {
        const auto& p = piece.points;
        if (m_dashed || m_path.isEmpty() || m_path.currentPosition() != p[0])
            m_path.moveTo(p[0]);
        if (piece.isLine)
            m_path.lineTo(p[3]);
        else
            m_path.cubicTo(p[1], p[2], p[3]);
    }

    QRectF m_area;
    double m_largest;
    bool m_dashed;
    std::vector<Piece> m_open;
    QPainterPath m_path;
};

} // namespace

QPainterPath visiblePieces(const QPainterPath& path, const QRectF& area, bool dashed)
{
    Collector seen(area, dashed);
    QPointF from;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element& element = path.elementAt(i);
        QPointF to = element;
        if (element.type == QPainterPath::LineToElement) {
            seen.add({{from, (2 * from + to) / 3, (from + 2 * to) / 3, to}, true, 0});
        } else if (element.type == QPainterPath::CurveToElement) {
            to = path.elementAt(i + 2);
            seen.add({{from, QPointF(element), QPointF(path.elementAt(i + 1)), to}, false, 0});
            i += 2;
        }
        from = to;
    }
    return seen.path();
}

} // namespace lapidary
