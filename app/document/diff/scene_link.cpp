// SPDX-License-Identifier: Apache-2.0
#include "app/document/diff/scene_link.h"

#include "app/document/picture/visible_items.h"

#include <unordered_map>

namespace lapidary {
namespace {

void count(DifferenceCounts& counts, const Difference& difference)
{
    if (difference.is(DifferenceKind::Added))
        ++counts.added;
    else if (difference.is(DifferenceKind::Removed))
        ++counts.removed;
    else if (difference.kinds == 1U << int(DifferenceKind::Renamed))
        ++counts.renamed;
    else
        ++counts.changed;
}

} // namespace

ItemId counterpartOf(const DifferenceList& list, const ComparedSide& from, const ComparedSide& to,
                     ItemId item)
{
    if (!item.isValid() || !from.preparation || !to.preparation)
        return {};
    if (item.isNode())
        return ItemId::of(list.counterpart(item.node(), from.isBefore));
    if (item.index >= from.preparation->tree().size())
        return {};
    const GroupId group =
        to.preparation->tree().find(from.preparation->tree().group(item.group()).path);
    return ItemId::of(group);
}

std::shared_ptr<const DifferenceMarks> differenceMarks(const DifferenceList& list,
                                                       const ComparedSide& side)
{
    auto marks = std::make_shared<DifferenceMarks>();
    for (const Difference& difference : list.steps) {
        const NodeId node = side.isBefore ? difference.before : difference.after;
        if (!node.isValid() || node.value >= side.preparation->graph().size())
            continue;
        const ItemId item = visibleItem(*side.scene, *side.preparation, ItemId::of(node));
        if (item.isValid())
            count((*marks)[item], difference);
    }
    return marks;
}

std::vector<DifferenceCounts> stageDifferences(const DifferenceList& list, bool isBefore,
                                               const Stages& stages)
{
    std::vector<DifferenceCounts> counts(stages.row.size());
    for (const Difference& difference : list.steps) {
        const NodeId node = isBefore ? difference.before : difference.after;
        const std::int32_t stage =
            stages.ofNode.size() > node.value ? stages.ofNode[node.value] : -1;
        if (stage >= 0)
            count(counts[std::size_t(stage)], difference);
    }
    return counts;
}

std::set<GroupId> linkedGroups(const std::set<GroupId>& from, const ScopeTree& fromTree,
                               const std::set<GroupId>& to, const ScopeTree& toTree)
{
    std::set<GroupId> linked;
    for (const GroupId id : to) // those that the other side lacks
        if (id.value < toTree.size() && !fromTree.find(toTree.group(id).path).isValid())
            linked.insert(id);
    for (const GroupId id : from) {
        if (id.value >= fromTree.size())
            continue;
        if (const GroupId same = toTree.find(fromTree.group(id).path); same.isValid())
            linked.insert(same);
    }
    return linked;
}

SceneLink::SceneLink(const DifferenceList& list, const ComparedSide& before,
                     const ComparedSide& after)
{
    for (const SceneBox& box : before.scene->boxes) {
        if (box.kind != BoxKind::Op && box.kind != BoxKind::Group)
            continue;
        const auto same = after.scene->boxOf.find(counterpartOf(list, before, after, box.item));
        if (same == after.scene->boxOf.end())
            continue;
        const Point from = box.rect.center();
        const Point to = after.scene->boxes[same->second].rect.center();
        m_pairs.push_back({QPointF(from.x, from.y), QPointF(to.x, to.y)});
    }
}

QPointF SceneLink::mapped(QPointF at, bool fromBefore) const
{
    // Distance in scene units up to which neighbors have a similar weight.
    constexpr double soft = 60;
    double weights = 0;
    QPointF offset;
    for (const Pair& pair : m_pairs) {
        const QPointF& here = fromBefore ? pair.before : pair.after;
        const QPointF& there = fromBefore ? pair.after : pair.before;
        const QPointF way = at - here;
        const double distance = QPointF::dotProduct(way, way) + soft * soft;
        const double weight = 1 / (distance * distance);
        weights += weight;
        offset += (there - here) * weight;
    }
    return weights > 0 ? at + offset / weights : at;
}

} // namespace lapidary
