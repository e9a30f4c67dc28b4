// SPDX-License-Identifier: Apache-2.0
#include "tests/views/layout/drawn_crossings.h"

#include <set>
#include <tuple>
#include <vector>

namespace lapidary::testing {
namespace {

using layered::Placement;
using layered::Problem;
using layered::Spot;

using Segment =
    std::tuple<float, float, float, float>; // y, x of the upper end, y, x of the lower one

bool cross(const Segment& a, const Segment& b)
{
    const auto side = [](const Segment& s, float y, float x) {
        const auto [y0, x0, y1, x1] = s;
        return double(x1 - x0) * (y - y0) - double(y1 - y0) * (x - x0);
    };
    const auto [ay0, ax0, ay1, ax1] = a;
    const auto [by0, bx0, by1, bx1] = b;
    return side(a, by0, bx0) * side(a, by1, bx1) < -1e-3 &&
           side(b, ay0, ax0) * side(b, ay1, ax1) < -1e-3;
}

} // namespace

long drawnCrossings(const Problem& problem, const Placement& placement)
{
    std::set<Segment> unique;
    for (int e = 0; e < int(problem.edges.size()); ++e) {
        const auto route = placement.route(e);
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            const Spot& p = route[i].y <= route[i + 1].y ? route[i] : route[i + 1];
            const Spot& q = route[i].y <= route[i + 1].y ? route[i + 1] : route[i];
            unique.emplace(p.y, p.x, q.y, q.x);
        }
    }
    const std::vector<Segment> segments(unique.begin(), unique.end());
    long sum = 0;
    for (std::size_t i = 0; i < segments.size(); ++i)
        for (std::size_t j = i + 1;
             j < segments.size() && std::get<0>(segments[j]) < std::get<2>(segments[i]); ++j)
            sum += cross(segments[i], segments[j]);
    return sum;
}

} // namespace lapidary::testing
