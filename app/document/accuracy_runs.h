// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QString>

#include <cstddef>

namespace lapidary {

// Returns the reason why the layers of the shown graph cannot be measured; empty if they can.
QString layersObstacle(const Document& document);
// Measures the layers of the shown graph, each alone in this form.
void measureLayers(Document& document, LayerForm form);
// Returns the node of the shown graph for a measured layer; invalid if another graph was measured.
NodeId nodeOf(const Document& document, const SensitiveLayer& layer);

// Searches for smaller files of the shown graph; if a file of the last search is shown, of the
// graph that was searched then.
void searchSmaller(Document& document);
// Appends the steps of a found point to those that led to the searched graph, replacing all other
// steps, and shows the resulting graph; a running search ends. Returns the reason why this is not
// possible; empty if it was done.
QString usePoint(Document& document, std::size_t point);
// Tells whether the recipe is that of the point.
bool isPointUsed(const Document& document, std::size_t point);

} // namespace lapidary
