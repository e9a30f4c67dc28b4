// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <cmath>

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

// Arranges parts in rows, large ones first. No row is wider than `width` unless one of its parts
// is.
void packRows(const std::vector<PartFrame>& parts, const std::vector<int>& order, float left,
              float width, float gap, std::vector<Spot>& corners)
{
    float x = left;
    float y = 0;
    float rowHeight = 0;
    for (const int p : order) {
        const Size size = sizeOf(parts[p]);
        if (x > left && x + size.w > left + width) {
            x = left;
            y += rowHeight + gap;
            rowHeight = 0;
        }
        corners[p] = {x, y};
        x += size.w + gap;
        rowHeight = std::max(rowHeight, size.h);
    }
}

} // namespace

std::vector<Spot> packParts(const std::vector<PartFrame>& parts, const Spacing& spacing)
{
    std::vector<Spot> corners(parts.size());
    if (parts.empty())
        return corners;
    const bool hasPorts = parts[0].layers.hasPorts;
    std::vector<int> order;
    double area = 0;
    float widest = 0;
    for (std::size_t p = hasPorts ? 1 : 0; p < parts.size(); ++p) {
        const Size size = sizeOf(parts[p]);
        order.push_back(int(p));
        area += double(size.w + spacing.partGap) * (size.h + spacing.partGap);
        widest = std::max(widest, size.w);
    }
    // Sorts by properties that do not change when a group opens.
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](int p) { return parts[p].layers.vertices.size(); });
    if (hasPorts) {
        const Size first = sizeOf(parts[0]);
        const float height = std::max({first.h, 200.0F});
        const auto wanted = float(area / height * 1.1);
        packRows(parts, order, first.w + spacing.partGap, std::max(widest, wanted), spacing.partGap,
                 corners);
    } else {
        const auto wanted = float(std::sqrt(area * spacing.aspect));
        packRows(parts, order, 0, std::max(widest, wanted), spacing.partGap, corners);
    }
    return corners;
}

} // namespace lapidary::layered
