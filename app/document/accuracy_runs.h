// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QString>

#include <cstddef>

namespace lapidary {

// Why the layers of the graph that is shown cannot be measured; empty: they can.
QString layersObstacle(const Document& document);
// Measures the layers of the graph that is shown, each alone in this form.
void measureLayers(Document& document, LayerForm form);
// The node of the graph that is shown that is this layer; not valid: another graph was measured.
NodeId nodeOf(const Document& document, const SensitiveLayer& layer);

// Looks for smaller files of the graph that is shown; where a file of the last search is shown, of
// the graph that was searched then.
void searchSmaller(Document& document);
// Appends the steps of a found point to those that led to the searched graph, replacing all other
// steps, and shows the resulting graph; a running search ends. Returns why that is not possible;
// empty if it was done.
QString usePoint(Document& document, std::size_t point);
// Returns whether the recipe is that of the point.
bool isPointUsed(const Document& document, std::size_t point);

} // namespace lapidary
