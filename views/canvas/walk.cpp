// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/walk.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace lapidary {
namespace {

using Links = std::unordered_set<std::uint64_t>;

class Stepper {
public:
    Stepper(const Scene& scene, bool forward)
        : m_scene(scene)
        , m_forward(forward)
    {
    }

    // Returns the boxes at the far end of the edges of `box`, and the group borders passed on the
    // way.
    std::vector<std::uint32_t> targets(std::uint32_t box)
    {
        std::vector<std::uint32_t> found;
        std::vector<std::uint32_t> waiting{box};
        std::unordered_set<std::uint32_t> seen{box};
        Links carried;
        while (!waiting.empty()) {
            const std::uint32_t at = waiting.back();
            waiting.pop_back();
            for (const SceneEdge& edge : m_scene.edges) {
                if (nearEnd(edge) != std::int32_t(at) || farEnd(edge) < 0 ||
                    (at != box && !carriesAny(edge, carried)))
                    continue;
                if (at == box)
                    for (const GraphEdge& link : m_scene.carried(edge))
                        carried.insert(link.key());
                const auto next = std::uint32_t(farEnd(edge));
                if (!seen.insert(next).second)
                    continue;
                const bool isBorder = m_scene.boxes[next].kind == BoxKind::OpenGroup;
                (isBorder ? waiting : found).push_back(next);
            }
        }
        return found;
    }

private:
    std::int32_t nearEnd(const SceneEdge& edge) const { return m_forward ? edge.from : edge.to; }
    std::int32_t farEnd(const SceneEdge& edge) const { return m_forward ? edge.to : edge.from; }
    bool carriesAny(const SceneEdge& edge, const Links& links) const
    {
        return std::ranges::any_of(m_scene.carried(edge), [&](const GraphEdge& link) {
            return links.contains(link.key());
        });
    }

    const Scene& m_scene;
    bool m_forward;
};

float distance(const Rect& a, const Rect& b)
{
    const Point p = a.center();
    const Point q = b.center();
    return std::abs(p.x - q.x) + std::abs(p.y - q.y);
}

ItemId siblingOf(const Scene& scene, std::uint32_t box, bool right)
{
    const SceneBox& own = scene.boxes[box];
    const Point from = own.rect.center();
    ItemId best;
    float least = INFINITY;
    for (const SceneBox& other : scene.boxes) {
        const bool isMain = other.kind != BoxKind::Chip && other.kind != BoxKind::Stub;
        if (other.parent != own.parent || other.item == own.item || !isMain)
            continue;
        const float dx = (other.rect.center().x - from.x) * (right ? 1 : -1);
        const float dy = std::abs(other.rect.center().y - from.y);
        const float cost = dx + 4 * dy;
        if (dx > 1 && cost < least) {
            least = cost;
            best = other.item;
        }
    }
    return best;
}

} // namespace

ItemId walked(const Scene& scene, ItemId from, Walk step)
{
    const auto own = scene.boxOf.find(from);
    if (own == scene.boxOf.end())
        return {};
    if (step == Walk::LeftSibling || step == Walk::RightSibling)
        return siblingOf(scene, own->second, step == Walk::RightSibling);
    ItemId best;
    float least = INFINITY;
    const Rect& rect = scene.boxes[own->second].rect;
    for (const std::uint32_t i : Stepper(scene, step == Walk::Consumer).targets(own->second)) {
        const float cost = distance(rect, scene.boxes[i].rect);
        if (cost < least) {
            least = cost;
            best = scene.boxes[i].item;
        }
    }
    return best;
}

ItemId enclosingGroup(const Scene& scene, ItemId item)
{
    const auto own = scene.boxOf.find(item);
    if (own == scene.boxOf.end())
        return {};
    for (std::int32_t i = scene.boxes[own->second].parent; i >= 0;
         i = scene.boxes[std::size_t(i)].parent)
        if (!scene.boxes[std::size_t(i)].item.isNode())
            return scene.boxes[std::size_t(i)].item;
    return {};
}

} // namespace lapidary
