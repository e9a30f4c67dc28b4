// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lapidary::layered {
namespace {

struct Size {
    float w;
    float h;
};

Size sizeOf(const PartFrame& part)
{
    return {std::ceil(part.right - part.left), std::ceil(part.bottom)};
}

// Tells whether a part is an input without readers: it stays at the top.
bool isLoneInput(const PartFrame& part)
{
    const std::vector<int>& first = part.problem.first;
    return part.layers.vertices.size() == 1 &&
           std::ranges::find(first, part.layers.vertices.front()) != first.end();
}

// Tells whether a part begins with an input that it reads: such a part computes something.
bool isFed(const PartFrame& part)
{
    const std::vector<int>& vertices = part.layers.vertices;
    return vertices.size() > 1 && std::ranges::any_of(part.problem.first, [&](int v) {
               return std::ranges::find(vertices, v) != vertices.end();
           });
}

// Arranges parts in rows, large ones first. A row is wider than `width` only if one of its parts
// is, or if it contains inputs without readers.
void packRows(const std::vector<PartFrame>& parts, const std::vector<int>& order, float left,
              float width, float gap, std::vector<Spot>& corners)
{
    float x = left;
    float y = 0;
    float rowHeight = 0;
    for (const int p : order) {
        const Size size = sizeOf(parts[p]);
        if (x > left && x + size.w > left + width && !isLoneInput(parts[p])) {
            x = left;
            y += rowHeight + gap;
            rowHeight = 0;
        }
        corners[p] = {x, y};
        x += size.w + gap;
        rowHeight = std::max(rowHeight, size.h);
    }
}

// Puts orphans in a strip below the other parts, as wide as these: beside them they would make the
// picture wider.
void placeOrphans(const std::vector<PartFrame>& parts, const std::vector<int>& orphans,
                  const std::vector<int>& others, const Spacing& spacing,
                  std::vector<Spot>& corners)
{
    float right = 0;
    float below = 0;
    for (const int p : others) {
        right = std::max(right, corners[p].x + sizeOf(parts[p]).w);
        below = std::max(below, corners[p].y + sizeOf(parts[p]).h + spacing.partGap);
    }
    packRows(parts, orphans, 0, right, spacing.asideGap, corners);
    for (const int p : orphans)
        corners[p].y += below;
}

// Spreads the parts of one row over a width, so that their names fit between them when the picture
// is small.
void spreadRow(const std::vector<PartFrame>& parts, const std::vector<int>& row, float width,
               std::vector<Spot>& corners)
{
    constexpr float widestGap = 240;
    if (row.size() < 2 || corners[row.back()].y > 0)
        return;
    const float free = width - corners[row.back()].x - sizeOf(parts[row.back()]).w;
    const float more = std::clamp(std::floor(free / float(row.size() - 1)), 0.0F, widestGap);
    for (std::size_t i = 1; i < row.size(); ++i)
        corners[row[i]].x += more * float(i);
}

// Places the parts beside the network in the order of the vertices: stacked in a column to the
// right of the other parts, or in rows below them if a wide picture is then shown clearly larger.
void placeAside(const std::vector<PartFrame>& parts, const Spacing& spacing,
                std::vector<Spot>& corners)
{
    constexpr float gainBelow = 1.1F;
    std::vector<int> aside;
    Size rest{};
    Size column{};
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const Size size = sizeOf(parts[p]);
        if (parts[p].layers.isAside) {
            corners[p] = {0, column.h};
            column = {std::max(column.w, size.w), column.h + size.h + spacing.asideGap};
            aside.push_back(int(p));
        } else {
            rest = {std::max(rest.w, corners[p].x + size.w + spacing.partGap),
                    std::max(rest.h, corners[p].y + size.h + spacing.partGap)};
        }
    }
    const auto scaleOf = [&](float width, float height) {
        return std::min(spacing.aspect / width, 1 / height);
    };
    std::vector<Spot> inRows = corners;
    packRows(parts, aside, 0, rest.w - spacing.partGap, spacing.asideGap, inRows);
    spreadRow(parts, aside, rest.w - spacing.partGap, inRows);
    float bottom = rest.h;
    for (const int p : aside)
        bottom = std::max(bottom, rest.h + inRows[p].y + sizeOf(parts[p]).h);
    const bool isBelow =
        rest.w > 0 && scaleOf(rest.w - spacing.partGap, bottom) >
                          gainBelow * scaleOf(rest.w + column.w, std::max(rest.h, column.h));
    for (const int p : aside)
        corners[p] = isBelow ? Spot{inRows[p].x, rest.h + inRows[p].y} : Spot{rest.w, corners[p].y};
}

} // namespace

std::vector<Spot> packParts(const std::vector<PartFrame>& parts, const Spacing& spacing)
{
    std::vector<Spot> corners(parts.size());
    if (parts.empty())
        return corners;
    const bool hasPorts = parts[0].layers.hasPorts;
    std::vector<int> order;
    float widest = 0;
    const auto areaOf = [&](const std::vector<int>& those) {
        double area = 0;
        for (const int p : those)
            area += double(sizeOf(parts[p]).w + spacing.partGap) *
                    (sizeOf(parts[p]).h + spacing.partGap);
        return area;
    };
    for (std::size_t p = hasPorts ? 1 : 0; p < parts.size(); ++p) {
        if (parts[p].layers.isAside)
            continue;
        order.push_back(int(p));
        widest = std::max(widest, sizeOf(parts[p]).w);
    }
    // Sorts by properties that do not change when a group opens.
    std::ranges::stable_sort(order, std::greater<>(), [&](int p) {
        return std::pair(isFed(parts[p]), parts[p].layers.vertices.size());
    });
    if (hasPorts) {
        const Size first = sizeOf(parts[0]);
        const float height = std::max({first.h, 200.0F});
        const auto wanted = float(areaOf(order) / height * 1.1);
        packRows(parts, order, first.w + spacing.partGap, std::max(widest, wanted), spacing.partGap,
                 corners);
    } else {
        std::vector<int> orphans;
        std::ranges::copy_if(order, std::back_inserter(orphans),
                             [&](int p) { return parts[p].layers.isOrphan; });
        if (orphans.size() < order.size())
            std::erase_if(order, [&](int p) { return parts[p].layers.isOrphan; });
        else
            orphans.clear();
        const auto wanted = float(std::sqrt(areaOf(order) * spacing.aspect));
        packRows(parts, order, 0, std::max(widest, wanted), spacing.partGap, corners);
        placeOrphans(parts, orphans, order, spacing, corners);
    }
    placeAside(parts, spacing, corners);
    return corners;
}

} // namespace lapidary::layered
