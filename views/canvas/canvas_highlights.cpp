// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/canvas_highlights.h"

#include <utility>

namespace lapidary {

void CanvasHighlights::startOver(ItemId selected)
{
    m_state = PictureState();
    m_state.selected = selected;
}

void CanvasHighlights::setSelected(ItemId item)
{
    if (item == m_state.selected)
        return;
    m_state.selected = item;
    emit overlayChanged();
    emit shownSelectionChanged();
    emit selectionChanged(item);
}

void CanvasHighlights::selectAlone(ItemId item)
{
    if (item == m_state.selected && !m_state.chosen.empty())
        emit selectionChanged(item);
    setSelected(item);
}

void CanvasHighlights::setChosen(ItemSet items)
{
    if (m_state.chosen == items)
        return;
    m_state.chosen = std::move(items);
    emit overlayChanged();
    emit shownSelectionChanged();
}

bool CanvasHighlights::setHovered(ItemId item)
{
    if (item == m_state.hovered)
        return false;
    m_state.hovered = item;
    emit overlayChanged();
    return true;
}

void CanvasHighlights::setLit(ItemSetPtr items)
{
    m_state.lit = std::move(items);
    emit colorsChanged();
}

void CanvasHighlights::setHits(ItemSet items, ItemId current)
{
    m_state.hits = std::move(items);
    m_state.currentHit = current;
    emit hitsChanged();
    emit overlayChanged();
}

void CanvasHighlights::setMarks(std::unordered_map<ItemId, ItemMarks> marks)
{
    m_state.marks = std::move(marks);
    emit overlayChanged();
}

void CanvasHighlights::setColoring(ColoringPtr coloring)
{
    m_state.coloring = std::move(coloring);
    emit colorsChanged();
}

void CanvasHighlights::setDifferences(std::shared_ptr<const DifferenceMarks> marks)
{
    m_state.differences = std::move(marks);
    emit overlayChanged();
}

} // namespace lapidary
