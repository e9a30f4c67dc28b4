// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/picture_state.h"

#include <QObject>

namespace lapidary {

// What a canvas shows of a scene besides its boxes and edges: the selection, lit items, hits,
// marks, colors and differences.
class CanvasHighlights : public QObject {
    Q_OBJECT
public:
    const PictureState& state() const { return m_state; }
    // Forgets everything, for a scene with other items, of which one is selected. It emits nothing.
    void startOver(ItemId selected);

    void setSelected(ItemId item); // emits selectionChanged where it changes
    // Selects the item that was clicked: of several selected ones, this one alone stays.
    void selectAlone(ItemId item);
    // Sets the items that are selected besides the one with the focus.
    void setChosen(ItemSet items);
    bool setHovered(ItemId item);  // returns whether it changed
    void setLit(ItemSetPtr items); // null: nothing is dimmed
    void setHits(ItemSet items, ItemId current);
    void setMarks(std::unordered_map<ItemId, ItemMarks> marks);
    void setColoring(ColoringPtr coloring);
    void setDifferences(std::shared_ptr<const DifferenceMarks> marks); // null: none

signals:
    void selectionChanged(lapidary::ItemId item); // nothing else stays selected
    void shownSelectionChanged(); // what is drawn as selected, with the items besides it
    void hitsChanged();
    void overlayChanged(); // rings and marks, which are drawn above the boxes
    void colorsChanged();  // the boxes themselves look different

private:
    PictureState m_state;
};

} // namespace lapidary
