// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

class GraphCanvas;

// Makes canvases answer assistive technology: the visible boxes are virtual children of the canvas,
// named "conv1, Conv2D, 1×56×56×64", in the order of the scene, with selection, activation and
// position. Must be called after the QApplication exists; further calls do nothing.
void installCanvasAccessibility();

// Tells listeners that another box is selected.
void announceSelection(GraphCanvas& canvas);

} // namespace lapidary
