// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/picture_state.h"

#include <QObject>

namespace lapidary {

// The parts of a canvas's picture that the scene does not hold: the selection, lit items, hits,
// marks, colors and differences.
class CanvasHighlights : public QObject {
    Q_OBJECT
public:
    const PictureState& state() const { return m_state; }
    // Clears everything for a scene with other items, and selects one of these. Emits no signal.
    void startOver(ItemId selected);

    void setSelected(ItemId item); // emits selectionChanged where it changes
    // Selects the item that was clicked, and no other one: if it was one of several selected items,
    // selectionChanged is emitted again.
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
    void selectionChanged(lapidary::ItemId item); // no other item stays selected
    void shownSelectionChanged();                 // the set of items that are drawn as selected
    void hitsChanged();
    void overlayChanged(); // rings and marks, which are drawn above the boxes
    void colorsChanged();  // the boxes themselves look different

private:
    PictureState m_state;
};

} // namespace lapidary
