// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/placement.h"

#include "views/layout/layered/part_frame.h"
#include "views/layout/layered/plan.h"
#include "views/layout/layered/work.h"

#include <algorithm>
#include <cmath>

namespace lapidary::layered {
namespace {

void collect(const std::vector<PartFrame>& parts, const std::vector<Spot>& corners,
             Placement& placement, std::size_t edges)
{
    std::vector<std::pair<int, int>> where(edges, {-1, -1}); // part, chain
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (std::size_t c = 0; c < parts[p].layers.chains.size(); ++c)
            where[parts[p].layers.chains[c].edge] = {int(p), int(c)};
    for (const auto& [p, c] : where) {
        if (p >= 0) {
            const float dx = corners[p].x - parts[p].left;
            for (const Spot& s : parts[p].routes[c])
                placement.spots.push_back({s.x + dx, s.y + corners[p].y});
        }
        placement.routeStart.push_back(int(placement.spots.size()));
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const PartFrame& part = parts[p];
        const float dx = corners[p].x - part.left;
        for (std::size_t v = 0; v < part.layers.vertices.size(); ++v)
            placement.axis[part.layers.vertices[v]] = {float(part.x[v]) + dx,
                                                       part.y[v] + corners[p].y};
        placement.width = std::max(placement.width, corners[p].x + part.right - part.left);
        placement.height = std::max(placement.height, corners[p].y + part.bottom);
    }
}

} // namespace

Result<Placement> place(const Problem& problem, const Plan& plan, std::span<const Room> rooms,
                        std::span<const Ends> ends, const Spacing& spacing, const Job& job)
{
    std::vector<PartFrame> parts;
    parts.reserve(plan.parts.size());
    Work work(job, spacing.work);
    for (const Layers& layers : plan.parts) {
        parts.push_back(makeFrame(problem, plan, layers, rooms, ends, spacing));
        PartFrame& frame = parts.back();
        work.allow(spacing.work);
        findAcross(frame, work);
        if (work.cancelled() || job.cancelled())
            return cancelledError();
        bundleRails(frame);
        spreadEnds(frame);
        findRows(frame);
        route(frame);
        frame.left = std::floor(frame.left);
        if (spacing.foldLongParts)
            foldColumns(frame);
    }
    Placement placement;
    placement.axis.resize(std::size_t(problem.vertices));
    collect(parts, packParts(parts, spacing), placement, problem.edges.size());
    return placement;
}

} // namespace lapidary::layered
