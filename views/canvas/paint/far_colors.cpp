// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/far_colors.h"

#include "views/canvas/paint/box_painter.h"
#include "views/theme/color.h"

namespace lapidary {
namespace {

QRgb dimmed(const QColor& color, const Theme& theme, bool isDimmed)
{
    return (isDimmed ? mixed(theme[Role::Canvas], color, dimmedOpacity) : color).rgb();
}

} // namespace

FarColorTable::FarColorTable(const Scene& scene, const Theme& theme, const PictureState& state)
    : m_theme(&theme)
    , m_lit(state.lit)
    , m_coloring(state.coloring)
{
    const bool isOverlay = m_coloring && m_coloring->overlay;
    std::vector<std::uint8_t> isDim(scene.boxes.size());
    for (std::uint32_t i = 0; i < scene.boxes.size(); ++i) {
        const SceneBox& box = scene.boxes[i];
        const bool frame = box.kind == BoxKind::OpenGroup;
        isDim[i] = m_lit && !m_lit->contains(box.item);
        const FamilyColors colors = faceColors(theme, state, box);
        const bool dim = isDim[i] && !frame;
        const bool closed = box.kind == BoxKind::Group && !m_coloring;
        const QColor inside = frame    ? theme.groupFill(box.depth)
                              : closed ? closedGroupFill(theme, box, colors, 0)
                                       : colors.fill;
        const QColor line = frame    ? theme[Role::Line]
                            : closed ? theme[Role::GroupLine]
                                     : colors.outline;
        fill.push_back(dimmed(inside, theme, dim));
        outline.push_back(dimmed(line, theme, dim));
        bar.push_back(dimmed(colors.outline, theme, dim));
        isFrame.push_back(frame);
        isBold.push_back(box.kind == BoxKind::Op && box.family == OpFamily::HeavyMaths);
        isPlain.push_back(isPlainShape(box));
        hasBar.push_back(!isOverlay && (box.kind == BoxKind::Group || box.kind == BoxKind::Op));
    }
    for (const SceneEdge& edge : scene.edges) {
        const bool dim = (edge.from >= 0 && isDim[std::size_t(edge.from)]) ||
                         (edge.to >= 0 && isDim[std::size_t(edge.to)]);
        // Many thin lines look darker than one, so they are lighter here than in the near picture.
        const QColor line = mixed(theme[Role::Edge], theme[Role::Canvas], 0.35);
        edges.push_back(
            {edge.firstPoint, edge.firstPoint + edge.pointCount, dimmed(line, theme, dim)});
    }
}

bool FarColorTable::isFor(const Theme& theme, const PictureState& state) const
{
    return m_theme == &theme && m_lit == state.lit && m_coloring == state.coloring;
}

} // namespace lapidary
