// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/edge_curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lapidary {
namespace {

constexpr double bendRadius = 10;

QPointF at(Point p)
{
    return {p.x, p.y};
}

// A function along one axis: `t` grows, `v` is the other coordinate.
struct Knots {
    std::vector<double> t;
    std::vector<double> v;
};

bool isMonotone(std::span<const Point> route, bool vertical)
{
    for (std::size_t i = 1; i < route.size(); ++i) {
        const float step = vertical ? route[i].y - route[i - 1].y : route[i].x - route[i - 1].x;
        if (!(step > 0.5F))
            return false;
    }
    return route.size() > 1;
}

// Returns the slopes at the knots: zero at the first and last one, weighted harmonic means inside,
// which keep each piece between its two knots.
std::vector<double> slopes(const Knots& k)
{
    std::vector<double> m(k.t.size(), 0.0);
    for (std::size_t i = 1; i + 1 < k.t.size(); ++i) {
        const double before = k.t[i] - k.t[i - 1];
        const double after = k.t[i + 1] - k.t[i];
        const double left = (k.v[i] - k.v[i - 1]) / before;
        const double right = (k.v[i + 1] - k.v[i]) / after;
        if (left * right <= 0)
            continue;
        const double a = 2 * after + before;
        const double b = after + 2 * before;
        m[i] = (a + b) / (a / left + b / right);
    }
    return m;
}

Knots knotsOf(std::span<const Point> route, bool vertical, double shortenedBy)
{
    Knots k;
    for (const Point p : route) {
        k.t.push_back(vertical ? p.y : p.x);
        k.v.push_back(vertical ? p.x : p.y);
    }
    const double last = k.t.back() - k.t[k.t.size() - 2];
    k.t.back() -= std::min(shortenedBy, last / 2);
    return k;
}

QPainterPath monotonePath(const Knots& k, bool vertical)
{
    const auto point = [vertical](double t, double v) {
        return vertical ? QPointF(v, t) : QPointF(t, v);
    };
    const std::vector<double> m = slopes(k);
    QPainterPath path(point(k.t[0], k.v[0]));
    for (std::size_t i = 1; i < k.t.size(); ++i) {
        const double step = k.t[i] - k.t[i - 1];
        if (k.v[i] == k.v[i - 1] && m[i] == 0 && m[i - 1] == 0) {
            path.lineTo(point(k.t[i], k.v[i]));
            continue;
        }
        // Where both end slopes are level, handles longer than a Hermite cubic's make a calmer S.
        const bool isAlone = m[i] == 0 && m[i - 1] == 0;
        const double handle = step * (isAlone ? 0.5 : 1.0 / 3);
        path.cubicTo(point(k.t[i - 1] + handle, k.v[i - 1] + m[i - 1] * handle),
                     point(k.t[i] - handle, k.v[i] - m[i] * handle), point(k.t[i], k.v[i]));
    }
    return path;
}

QPainterPath roundedPath(std::span<const Point> route, double shortenedBy)
{
    QPainterPath path(at(route.front()));
    for (std::size_t i = 1; i + 1 < route.size(); ++i) {
        const QPointF here = at(route[i]);
        QPointF in = here - at(route[i - 1]);
        QPointF out = at(route[i + 1]) - here;
        const double inLength = std::hypot(in.x(), in.y());
        const double outLength = std::hypot(out.x(), out.y());
        if (inLength < 1e-3 || outLength < 1e-3)
            continue;
        const double r = std::min({bendRadius, inLength / 2, outLength / 2});
        path.lineTo(here - in * (r / inLength));
        path.quadTo(here, here + out * (r / outLength));
    }
    const QPointF end = at(route.back());
    const QPointF step = end - at(route[route.size() - 2]);
    const double length = std::hypot(step.x(), step.y());
    path.lineTo(length > 0 ? end - step * (std::min(shortenedBy, length / 2) / length) : end);
    return path;
}

} // namespace

Rect routeBounds(std::span<const Point> route)
{
    if (route.empty())
        return {};
    float left = route[0].x, right = left, top = route[0].y, bottom = top;
    for (const Point p : route) {
        left = std::min(left, p.x);
        right = std::max(right, p.x);
        top = std::min(top, p.y);
        bottom = std::max(bottom, p.y);
    }
    return {left, top, right - left, bottom - top};
}

EdgeCurve edgeCurve(std::span<const Point> route, bool vertical, double shortenedBy)
{
    EdgeCurve curve;
    if (route.size() < 2)
        return curve;
    curve.tip = at(route.back());
    for (const bool axis : {vertical, !vertical}) {
        if (!isMonotone(route, axis))
            continue;
        curve.path = monotonePath(knotsOf(route, axis, shortenedBy), axis);
        curve.direction = axis ? QPointF(0, 1) : QPointF(1, 0);
        return curve;
    }
    curve.path = roundedPath(route, shortenedBy);
    const QPointF step = curve.tip - at(route[route.size() - 2]);
    const double length = std::hypot(step.x(), step.y());
    curve.direction = length > 0 ? step / length : QPointF(0, 1);
    return curve;
}

bool leavesVertically(const Scene& scene, const SceneEdge& edge)
{
    const auto route = scene.route(edge);
    if (route.size() < 2 || edge.from < 0 || std::size_t(edge.from) >= scene.boxes.size())
        return true;
    const Rect& box = scene.boxes[std::size_t(edge.from)].rect;
    const float y = std::min(std::abs(route[0].y - box.y), std::abs(route[0].y - box.bottom()));
    const float x = std::min(std::abs(route[0].x - box.x), std::abs(route[0].x - box.right()));
    return y <= x;
}

} // namespace lapidary
