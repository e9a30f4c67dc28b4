// SPDX-License-Identifier: Apache-2.0
#include "views/strip/stage_marks.h"

#include <cmath>

namespace lapidary {
namespace {

StageColor overlaid(const Stage& stage, const Coloring& coloring)
{
    StageColor color;
    double value = 0;
    int known = 0;
    for (const ItemId item : stage.items)
        if (const OverlayFace* face = coloring.face(item)) {
            const bool isLarger = known == 0 || std::abs(face->value) > std::abs(value);
            if (coloring.isSummed)
                value += face->value;
            else if (isLarger)
                value = face->value;
            if (coloring.isSummed || isLarger)
                color.text = face->text;
            ++known;
        }
    color.isTwoSided = coloring.scale.kind == OverlayScale::Kind::TwoSided;
    if (known > 0)
        color.position = coloring.scale.position(value);
    if (known > 1 && coloring.isSummed)
        color.text.clear(); // the text is that of one item
    return color;
}

} // namespace

std::optional<StageColor> colorOfStage(const Stage& stage, const ColoringPtr& coloring)
{
    if (!coloring)
        return {};
    if (coloring->overlay)
        return overlaid(stage, *coloring);
    StageColor color;
    for (const ItemId item : stage.items) {
        const auto known = coloring->classOf.find(item);
        if (known == coloring->classOf.end() || (color.ofClass && *color.ofClass != known->second))
            return StageColor();
        color.ofClass = known->second;
    }
    return color;
}

void countHits(std::vector<StageMarks>& marks, const Stages& stages, std::span<const NodeId> hits,
               NodeId current)
{
    const auto at = [&](NodeId id) -> StageMarks* {
        const std::int32_t stage =
            id.isValid() && id.value < stages.ofNode.size() ? stages.ofNode[id.value] : -1;
        return stage < 0 || std::size_t(stage) >= marks.size() ? nullptr
                                                               : &marks[std::size_t(stage)];
    };
    for (const NodeId id : hits)
        if (StageMarks* mark = at(id))
            ++mark->hits;
    if (StageMarks* mark = at(current))
        mark->isCurrentHit = true;
}

} // namespace lapidary
